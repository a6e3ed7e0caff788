// c = a · b, or c += a · b, in fp32, for the module `tensor`. a: (m, k), or (k, m) if transposed;
// b: (k, n), or (n, k) if transposed; c: (m, n). Then a bias, (n), is added to each row and relu
// applied, if they are asked for.
//
//   tensor_matmul_v1   one thread per entry: the plain version. Each number is read from global
//                      memory once per product
//   tensor_matmul_v2   tiles of 32x32 in shared memory, 4x4 entries per thread: for small products,
//                      which have few tiles for the multiprocessors
//   tensor_matmul_v3   tiles of 64x64, 4x8 entries per thread
//   tensor_matmul_v4_* tiles of 128x128, 8x8 entries per thread: each number that is read from
//                      shared memory is used 8 times. The copies to shared memory are asynchronous:
//                      two slabs are on their way while one is used. One CUDA kernel each for nn,
//                      nt (b transposed) and tn
//
// v2 and v3 read the next slab into registers while they multiply the one in shared memory. If
// there are few tiles and k is large, the grid's z axis splits k: each part writes its own c into a
// workspace, and tensor_matmul_sum adds them up, always in the same order.
//
// What separates v4 from cuBLAS: the comparison is fp32 without tensor cores, where each product is
// an FFMA instruction and a multiprocessor issues four instructions per cycle, whatever they are.
// Seen on an H200 at 2048 and 4096, in TFLOP/s: FFMA alone 64, cuBLAS 49 to 52, v4 46 to 51, which
// is 0.93 (nn) and 0.95 to 0.98 (nt, tn) of cuBLAS. bench/tensor.py measures it.
//   - A tenth of the instructions of v4's inner loop are not FFMA: reads of shared memory, copies,
//     counters. Numbers that are stored along k are copied 4 bytes at a time, because they are
//     needed transposed.
//   - The compiler chooses the registers, and small changes of the text change its choice. A trial
//     of the same loop without bias and relu ran nn at 0.95 to 0.97 of cuBLAS. Which of the
//     differences it is was not found; the conflicts between register banks, counted in the
//     machine code, do not explain it.
//   - Tried: 16x8 entries per thread (tiles of 128x128 or 256x128), which read shared memory a
//     quarter less often but leave two warps per scheduler: 0.83 to 0.97 of cuBLAS. Slabs of 8: 3%
//     slower; of 32, or four stages: no faster.
//   - Not tried: the bulk copies of Hopper (TMA).

struct MatmulShape {
    int m, n, k;
    int transpose_a, transpose_b;
    int vector_a, vector_b, vector_c;  // whether 16 bytes can be accessed at once
    int part;                          // of k, per block along z; k if it is not split
    int accumulate, has_bias, relu;
};

// Launch: {(m * n + 255) / 256, 256}.
extern "C" __global__ void tensor_matmul_v1(const float* a, const float* b, const float* bias,
                                            float* c, MatmulShape p) {
    const int entry = blockIdx.x * blockDim.x + threadIdx.x;
    if (entry >= p.m * p.n) return;
    const int row = entry / p.n;
    const int column = entry % p.n;
    float sum = 0;
    for (int k = 0; k < p.k; ++k) {
        const size_t from_a =
            p.transpose_a ? static_cast<size_t>(k) * p.m + row : static_cast<size_t>(row) * p.k + k;
        const size_t from_b = p.transpose_b ? static_cast<size_t>(column) * p.k + k
                                            : static_cast<size_t>(k) * p.n + column;
        sum += a[from_a] * b[from_b];
    }
    if (p.accumulate) sum += c[entry];
    if (p.has_bias) sum += bias[column];
    c[entry] = p.relu && sum < 0 ? 0 : sum;
}

// --- tiles. A slab of 8 or 16 numbers of each row of a and column of b is in shared memory.

// One operand on its way from global to shared memory: x(i, p), i < extent, p < depth, stored with
// p along its rows or with i along them. Each thread of a block of 2 * tile threads brings four
// numbers per 8 numbers of p: of one row if x is stored along p, so that two threads share a sector
// of 32 bytes; else of four rows.
template <int tile, int slab>
struct Operand {
    static constexpr int count = slab / 8;
    const float* from;
    size_t distance;  // of numbers whose p differs by 8
    bool along_p, vector;
    int i, p;    // its place in the slab
    int inside;  // how many of its rows are inside x
    float4 piece[count];

    __device__ Operand(const float* x, bool stored_along_p, bool aligned, int first_i, int first_p,
                       int extent, int depth)
        : along_p(stored_along_p), vector(aligned) {
        i = along_p ? threadIdx.x / 2 : threadIdx.x % (tile / 4) * 4;
        p = along_p ? threadIdx.x % 2 * 4 : threadIdx.x / (tile / 4);
        inside = extent - first_i - i;
        from = x + (along_p ? static_cast<size_t>(first_i + i) * depth + first_p + p
                            : static_cast<size_t>(first_p + p) * extent + first_i + i);
        distance = along_p ? 8 : static_cast<size_t>(8) * extent;
    }

    // The next slab, of which the first `left` numbers are to be used; 0 instead of all others.
    __device__ void fetch(int left) {
#pragma unroll
        for (int q = 0; q < count; ++q) {
            const int ahead = left - p - 8 * q;
            const int whole = along_p ? (inside > 0 ? ahead : 0) : (ahead > 0 ? inside : 0);
            float4 four = make_float4(0, 0, 0, 0);
            if (vector) {
                if (whole > 0) four = *reinterpret_cast<const float4*>(from);
            } else {
                if (whole > 0) four.x = from[0];
                if (whole > 1) four.y = from[1];
                if (whole > 2) four.z = from[2];
                if (whole > 3) four.w = from[3];
            }
            piece[q] = four;
            from += distance;
        }
    }

    // to: (slab, tile + 4) numbers. Without the 4, threads that write along p would share a bank.
    __device__ void store(float4* slabs) const {
        constexpr int pitch = tile + 4;
        float* to = reinterpret_cast<float*>(slabs) + p * pitch + i;
#pragma unroll
        for (int q = 0; q < count; ++q) {
            float* first = to + 8 * q * pitch;
            if (along_p) {
                first[0] = piece[q].x;
                first[pitch] = piece[q].y;
                first[2 * pitch] = piece[q].z;
                first[3 * pitch] = piece[q].w;
            } else {
                *reinterpret_cast<float4*>(first) = piece[q];
            }
        }
    }
};

// Two slabs of each side: one is used while the other is filled.
template <int tile, int slab>
struct Slabs {
    static constexpr int pitch = tile + 4;
    float4 a[2][slab * pitch / 4];
    float4 b[2][slab * pitch / 4];
};

// The numbers that a thread multiplies for one p: 4 * squares_m of a, 4 * squares_n of b.
template <int squares_m, int squares_n>
struct Factors {
    float4 a[squares_m];
    float4 b[squares_n];

    __device__ void read(const float* from_a, const float* from_b) {
#pragma unroll
        for (int i = 0; i < squares_m; ++i)
            a[i] = *reinterpret_cast<const float4*>(from_a + 16 * i);
#pragma unroll
        for (int j = 0; j < squares_n; ++j)
            b[j] = *reinterpret_cast<const float4*>(from_b + 32 * j);
    }

    // Row by row, back and forth, so that two neighbouring products share a factor: 2% faster than
    // all rows in one direction.
    __device__ void add_products(float (&sum)[4 * squares_m][4 * squares_n]) const {
        float x[4 * squares_m];
        float y[4 * squares_n];
#pragma unroll
        for (int i = 0; i < squares_m; ++i)
            x[4 * i] = a[i].x, x[4 * i + 1] = a[i].y, x[4 * i + 2] = a[i].z, x[4 * i + 3] = a[i].w;
#pragma unroll
        for (int j = 0; j < squares_n; ++j)
            y[4 * j] = b[j].x, y[4 * j + 1] = b[j].y, y[4 * j + 2] = b[j].z, y[4 * j + 3] = b[j].w;
#pragma unroll
        for (int i = 0; i < 4 * squares_m; ++i)
#pragma unroll
            for (int j = 0; j < 4 * squares_n; ++j) {
                const int column = i % 2 == 0 ? j : 4 * squares_n - 1 - j;
                sum[i][column] += x[i] * y[column];
            }
    }
};

// The sums of a thread, from (row, column) of c on; entries above first_row and left of
// first_column belong to another block.
template <int squares_m, int squares_n>
__device__ void write(float (&sum)[4 * squares_m][4 * squares_n], int row, int column,
                      int first_row, int first_column, const float* bias, float* c,
                      const MatmulShape& p) {
    const bool whole = gridDim.z == 1;  // else: a part of the sum, for tensor_matmul_sum
    float* to = c + static_cast<size_t>(blockIdx.z) * p.m * p.n;
#pragma unroll
    for (int i = 0; i < 4 * squares_m; ++i) {
        const int y = row + i / 4 * 16 + i % 4;
#pragma unroll
        for (int j = 0; j < squares_n; ++j) {
            const int x = column + 32 * j;
            if (y < first_row || y >= p.m || x < first_column || x >= p.n) continue;
            float* entry = to + static_cast<size_t>(y) * p.n + x;
#pragma unroll
            for (int v = 0; v < 4; ++v) {
                float& value = sum[i][4 * j + v];  // in place: its register was chosen for the loop
                if (!whole || x + v >= p.n) continue;
                if (p.accumulate) value += entry[v];
                if (p.has_bias) value += bias[x + v];
                if (p.relu && value < 0) value = 0;
            }
            if (p.vector_c) {
                *reinterpret_cast<float4*>(entry) = make_float4(
                    sum[i][4 * j], sum[i][4 * j + 1], sum[i][4 * j + 2], sum[i][4 * j + 3]);
                continue;
            }
#pragma unroll
            for (int v = 0; v < 4; ++v)
                if (x + v < p.n) entry[v] = sum[i][4 * j + v];
        }
    }
}

// The first row and column of the block's tile. All tiles are along the grid's x axis, because the
// others end at 65535, in bands of `height` rows of tiles, column by column within a band: blocks
// that run at the same time share rows of a and columns of b in the cache.
struct Corner {
    int row, column;
};
template <int tile, int height>
__device__ Corner corner_of_block(const MatmulShape& p) {
    const int columns = (p.n + tile - 1) / tile;
    const int rows = (p.m + tile - 1) / tile;
    const int block = blockIdx.x;
    const int band = block / (height * columns);
    const int here = min(height, rows - band * height);
    const int rest = block % (height * columns);
    return {(band * height + rest % here) * tile, rest / here * tile};
}

// A block of warps_m x warps_n warps, 2 * tile threads, computes a tile x tile tile of c. In a warp
// 4x8 lanes share a rectangle of it, each with squares of 4x4 entries.
template <int tile, int slab, int warps_m, int warps_n, class OperandA, class OperandB>
__device__ void multiply(Slabs<tile, slab>& slabs, OperandA next_a, OperandB next_b,
                         const float* bias, float* c, const MatmulShape& p) {
    constexpr int squares_m = tile / warps_m / 16;  // per thread
    constexpr int squares_n = tile / warps_n / 32;
    constexpr int pitch = Slabs<tile, slab>::pitch;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    // Of two neighbours one way or the other (lane ^ 1, lane ^ 2) both want the same 16 bytes:
    // shared memory serves them together.
    const int row = warp / warps_n * (tile / warps_m) + (lane / 16 * 2 + lane % 2) * 4;
    const int column = warp % warps_n * (tile / warps_n) + lane / 2 % 8 * 4;
    const auto [first_row, first_column] = corner_of_block<tile, 1>(p);
    const int length = min(p.k - static_cast<int>(blockIdx.z) * p.part, p.part);

    next_a.fetch(length);
    next_b.fetch(length);
    next_a.store(slabs.a[0]);
    next_b.store(slabs.b[0]);
    __syncthreads();
    float sum[4 * squares_m][4 * squares_n] = {};
    int half = 0;
    // The last slab fetches and stores zeros, which nobody reads: a condition would let the
    // compiler move the fetch to the store, and everybody would wait for the memory there.
    for (int left = length; left > 0; left -= slab) {
        next_a.fetch(left - slab);
        next_b.fetch(left - slab);
        const float* from_a = reinterpret_cast<const float*>(slabs.a[half]) + row;
        const float* from_b = reinterpret_cast<const float*>(slabs.b[half]) + column;
        Factors<squares_m, squares_n> factors[2];  // one is read while the other is used
        factors[0].read(from_a, from_b);
#pragma unroll
        for (int s = 0; s < slab; ++s) {
            if (s + 1 < slab)
                factors[(s + 1) % 2].read(from_a + (s + 1) * pitch, from_b + (s + 1) * pitch);
            factors[s % 2].add_products(sum);
        }
        // one barrier per slab: the other half was read before the last barrier
        half = 1 - half;
        next_a.store(slabs.a[half]);
        next_b.store(slabs.b[half]);
        __syncthreads();
    }

    write<squares_m, squares_n>(sum, first_row + row, first_column + column, first_row,
                                first_column, bias, c, p);
}

template <int tile, int slab, int warps_m, int warps_n>
__device__ void multiply_any(Slabs<tile, slab>& slabs, const float* a, const float* b,
                             const float* bias, float* c, const MatmulShape& p) {
    const int first = blockIdx.z * p.part;
    const Corner corner = corner_of_block<tile, 1>(p);
    multiply<tile, slab, warps_m, warps_n>(
        slabs, Operand<tile, slab>(a, !p.transpose_a, p.vector_a, corner.row, first, p.m, p.k),
        Operand<tile, slab>(b, p.transpose_b, p.vector_b, corner.column, first, p.n, p.k), bias, c,
        p);
}

// Launch: {{(n + 31) / 32 * ((m + 31) / 32), 1, parts of k}, 64}.
extern "C" __global__ void __launch_bounds__(64)
    tensor_matmul_v2(const float* a, const float* b, const float* bias, float* c, MatmulShape p) {
    __shared__ Slabs<32, 16> slabs;
    multiply_any<32, 16, 2, 1>(slabs, a, b, bias, c, p);
}

// Launch: {{(n + 63) / 64 * ((m + 63) / 64), 1, parts of k}, 128}.
extern "C" __global__ void __launch_bounds__(128, 4)
    tensor_matmul_v3(const float* a, const float* b, const float* bias, float* c, MatmulShape p) {
    __shared__ Slabs<64, 16> slabs;
    multiply_any<64, 16, 4, 1>(slabs, a, b, bias, c, p);
}

// --- v4

// Copies 4 or 16 bytes from global to shared memory while the thread goes on; they do not pass
// through its registers. Older GPUs and the simulator copy at once.
template <int bytes>
__device__ void copy_async(float* to, const float* from) {
#if __CUDA_ARCH__ >= 800 && !defined(__LANES_SIMULATOR__)
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from), "n"(bytes)
                 : "memory");
#else
    for (int i = 0; i < bytes / 4; ++i) to[i] = from[i];
#endif
}

// The copies of a thread since the last call are one group.
__device__ void end_group_of_copies() {
#if __CUDA_ARCH__ >= 800 && !defined(__LANES_SIMULATOR__)
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits until at most `count` groups of this thread are on their way.
template <int count>
__device__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800 && !defined(__LANES_SIMULATOR__)
    asm volatile("cp.async.wait_group %0;" ::"n"(count) : "memory");
#endif
}

// Slabs of both sides in shared memory: one is used while the others are filled.
constexpr int stages = 3;
constexpr int deep = 16;  // numbers of p in a slab
constexpr int wide = 128 + 4;
constexpr int side = deep * wide;  // numbers in a slab of one side
constexpr int stage = 2 * side;

// One operand on its way to a slab, which is (deep, wide) numbers. The tile is inside x.
template <bool along_p>
struct AsyncOperand {
    static constexpr int rows = along_p ? 256 / 8 : 256 / 32;  // that 256 threads copy at a time
    const float* from;
    size_t step;      // between those rows
    size_t distance;  // between slabs
    int place;        // in the slab

    __device__ AsyncOperand(const float* x, int first_i, int first_p, int extent, int depth) {
        // Along p, 8 threads share a sector of 32 bytes, and a warp's numbers go to 32 banks.
        const int i = along_p ? threadIdx.x / 8 : threadIdx.x % 32 * 4;
        const int p = along_p ? threadIdx.x % 8 : threadIdx.x / 32;
        from = x + (along_p ? static_cast<size_t>(first_i + i) * depth + first_p + p
                            : static_cast<size_t>(first_p + p) * extent + first_i + i);
        step = static_cast<size_t>(rows) * (along_p ? depth : extent);
        distance = along_p ? deep : static_cast<size_t>(deep) * extent;
        place = p * wide + i;
    }

    __device__ void copy(float* slab) {
        float* const to = slab + place;
        if (along_p) {
#pragma unroll
            for (int q = 0; q < 128 / rows; ++q)
#pragma unroll
                for (int p = 0; p < deep; p += 8)
                    copy_async<4>(to + p * wide + q * rows, from + q * step + p);
        } else {
#pragma unroll
            for (int q = 0; q < deep / rows; ++q)
                copy_async<16>(to + q * rows * wide, from + q * step);
        }
        from += distance;
    }
};

// A block of 4x2 warps computes a 128x128 tile of c, 8x8 entries per thread. The last tile of a row
// or column is moved to the left or up until it is inside of c: no copy needs a condition.
template <bool transpose_a, bool transpose_b>
__device__ void multiply_async(float* slabs, const float* a, const float* b, const float* bias,
                               float* c, const MatmulShape& p) {
    const auto [first_row, first_column] = corner_of_block<128, 8>(p);
    const int top = min(first_row, p.m - 128);
    const int left = min(first_column, p.n - 128);
    const int first = blockIdx.z * p.part;
    const int count = min(p.k - first, p.part) / deep;  // of slabs
    AsyncOperand<!transpose_a> next_a(a, top, first, p.m, p.k);
    AsyncOperand<transpose_b> next_b(b, left, first, p.n, p.k);
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int row = warp / 2 * 32 + (lane / 16 * 2 + lane % 2) * 4;
    const int column = warp % 2 * 64 + lane / 2 % 8 * 4;
#pragma unroll
    for (int s = 0; s < stages - 1; ++s) {
        if (s < count) {
            next_a.copy(slabs + s * stage);
            next_b.copy(slabs + s * stage + side);
        }
        end_group_of_copies();
    }
    wait_for_copies<stages - 2>();
    __syncthreads();
    float sum[8][8] = {};
    Factors<2, 2> factors[2];  // one is read while the other is used
    const float* from_a = slabs + row;
    const float* from_b = slabs + side + column;
    factors[0].read(from_a, from_b);
    int used = 0;
    int filled = stages - 1;
#pragma unroll 1
    for (int done = 0; done < count; ++done) {
#pragma unroll
        for (int s = 0; s < deep; ++s) {
            if (s + 1 == deep) {  // the next slab: all have read this one, all have copied that one
                wait_for_copies<stages - 2>();
                __syncthreads();
                // After the last slab its first numbers are read again, and not used.
                if (done + 1 < count) used = used + 1 == stages ? 0 : used + 1;
                from_a = slabs + used * stage + row;
                from_b = slabs + used * stage + side + column;
            }
            const int next = (s + 1) % deep * wide;
            factors[(s + 1) % 2].read(from_a + next, from_b + next);
            if (s == 0) {  // into the slab that was read last
                if (done + stages - 1 < count) {
                    next_a.copy(slabs + filled * stage);
                    next_b.copy(slabs + filled * stage + side);
                }
                end_group_of_copies();
                filled = filled + 1 == stages ? 0 : filled + 1;
            }
            factors[s % 2].add_products(sum);
        }
    }
    write<2, 2>(sum, top + row, left + column, first_row, first_column, bias, c, p);
}

// Launch: {{(n + 127) / 128 * ((m + 127) / 128), 1, parts of k}, 256}, with 50688 bytes of shared
// memory. For m and n of at least 128, vector_a, vector_b and vector_c, and a multiple of 16 for k.
extern "C" __global__ void __launch_bounds__(256, 2)
    tensor_matmul_v4_nn(const float* a, const float* b, const float* bias, float* c,
                        MatmulShape p) {
    extern __shared__ float4 slabs[];
    multiply_async<false, false>(reinterpret_cast<float*>(slabs), a, b, bias, c, p);
}

// b transposed
extern "C" __global__ void __launch_bounds__(256, 2)
    tensor_matmul_v4_nt(const float* a, const float* b, const float* bias, float* c,
                        MatmulShape p) {
    extern __shared__ float4 slabs[];
    multiply_async<false, true>(reinterpret_cast<float*>(slabs), a, b, bias, c, p);
}

// a transposed
extern "C" __global__ void __launch_bounds__(256, 2)
    tensor_matmul_v4_tn(const float* a, const float* b, const float* bias, float* c,
                        MatmulShape p) {
    extern __shared__ float4 slabs[];
    multiply_async<true, false>(reinterpret_cast<float*>(slabs), a, b, bias, c, p);
}

// The sum of the parts, each (m, n). Launch: {(m * n + 255) / 256, 256}.
extern "C" __global__ void tensor_matmul_sum(const float* parts, int count, const float* bias,
                                             float* c, MatmulShape p) {
    const int entry = blockIdx.x * blockDim.x + threadIdx.x;
    const int entries = p.m * p.n;
    if (entry >= entries) return;
    float sum = p.accumulate ? c[entry] : 0;
#pragma unroll 8
    for (int part = 0; part < count; ++part)
        sum += parts[static_cast<size_t>(part) * entries + entry];
    if (p.has_bias) sum += bias[entry % p.n];
    c[entry] = p.relu && sum < 0 ? 0 : sum;
}
