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
//                      shared memory is used 8 times. One each for nn, nt (b transposed) and tn
//
// v2, v3 and v4 read the next slab from global memory while they multiply the one in shared memory.
// If there are few tiles and k is large, the grid's z axis splits k: each part writes its own c
// into a workspace, and tensor_matmul_sum adds them up, always in the same order.

struct Product {
    int m, n, k;
    int transpose_a, transpose_b;
    int vector_a, vector_b, vector_c;  // whether 16 bytes can be accessed at once
    int part;                          // of k, per block along z; k if it is not split
    int accumulate, has_bias, relu;
};

// Launch: {(m * n + 255) / 256, 256}.
extern "C" __global__ void tensor_matmul_v1(const float* a, const float* b, const float* bias,
                                            float* c, Product p) {
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
    int inside;  // how many of its rows are inside of x
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

// The same if rows begin at multiples of 16 bytes, p ends with a whole slab, and it is known to the
// compiler how x is stored: a tenth of all instructions less.
template <int tile, int slab, bool along_p>
struct AlignedOperand {
    static constexpr int count = slab / 8;
    static constexpr int pitch = tile + 4;
    const float* x;
    unsigned from, distance;  // in numbers; x has less than 2^31
    bool inside;
    int place;  // in the slab
    float4 piece[count];

    __device__ AlignedOperand(const float* all, int first_i, int first_p, int extent, int depth)
        : x(all) {
        const int i = along_p ? threadIdx.x / 2 : threadIdx.x % (tile / 4) * 4;
        const int p = along_p ? threadIdx.x % 2 * 4 : threadIdx.x / (tile / 4);
        inside = first_i + i < extent;
        from = along_p ? (first_i + i) * depth + first_p + p : (first_p + p) * extent + first_i + i;
        distance = along_p ? 8 : 8 * extent;
        place = p * pitch + i;
    }

    __device__ void fetch(int left) {
#pragma unroll
        for (int q = 0; q < count; ++q) {
            piece[q] = make_float4(0, 0, 0, 0);
            if (inside && left > 0) piece[q] = *reinterpret_cast<const float4*>(x + from);
            from += distance;
        }
    }

    __device__ void store(float4* slabs) const {
#pragma unroll
        for (int q = 0; q < count; ++q) {
            float* first = reinterpret_cast<float*>(slabs) + place + 8 * q * pitch;
            if (!along_p) {
                *reinterpret_cast<float4*>(first) = piece[q];
                continue;
            }
            first[0] = piece[q].x;
            first[pitch] = piece[q].y;
            first[2 * pitch] = piece[q].z;
            first[3 * pitch] = piece[q].w;
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

    __device__ void add_products(float (&sum)[4 * squares_m][4 * squares_n]) const {
#pragma unroll
        for (int i = 0; i < squares_m; ++i) {
            const float x[4] = {a[i].x, a[i].y, a[i].z, a[i].w};
#pragma unroll
            for (int j = 0; j < squares_n; ++j) {
                const float y[4] = {b[j].x, b[j].y, b[j].z, b[j].w};
#pragma unroll
                for (int u = 0; u < 4; ++u)
#pragma unroll
                    for (int v = 0; v < 4; ++v) sum[4 * i + u][4 * j + v] += x[u] * y[v];
            }
        }
    }
};

// The tiles of c, row by row, are the blocks along the grid's x axis: the other axes end at 65535.
template <int tile>
__device__ int first_row_of_block(const Product& p) {
    return static_cast<int>(blockIdx.x) / ((p.n + tile - 1) / tile) * tile;
}
template <int tile>
__device__ int first_column_of_block(const Product& p) {
    return static_cast<int>(blockIdx.x) % ((p.n + tile - 1) / tile) * tile;
}

// A block of warps_m x warps_n warps, 2 * tile threads, computes a tile x tile tile of c. In a warp
// 4x8 lanes share a rectangle of it, each with squares of 4x4 entries.
template <int tile, int slab, int warps_m, int warps_n, class OperandA, class OperandB>
__device__ void multiply(Slabs<tile, slab>& slabs, OperandA next_a, OperandB next_b,
                         const float* bias, float* c, const Product& p) {
    constexpr int squares_m = tile / warps_m / 16;  // per thread
    constexpr int squares_n = tile / warps_n / 32;
    constexpr int pitch = Slabs<tile, slab>::pitch;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    // Of two neighbours one way or the other (lane ^ 1, lane ^ 2) both want the same 16 bytes:
    // shared memory serves them together.
    const int row = warp / warps_n * (tile / warps_m) + (lane / 16 * 2 + lane % 2) * 4;
    const int column = warp % warps_n * (tile / warps_n) + lane / 2 % 8 * 4;
    const int first_row = first_row_of_block<tile>(p);
    const int first_column = first_column_of_block<tile>(p);
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

    const bool whole = gridDim.z == 1;  // else: a part of the sum, for tensor_matmul_sum
    float* to = c + static_cast<size_t>(blockIdx.z) * p.m * p.n;
#pragma unroll
    for (int i = 0; i < 4 * squares_m; ++i) {
        const int y = first_row + row + i / 4 * 16 + i % 4;
#pragma unroll
        for (int j = 0; j < squares_n; ++j) {
            const int x = first_column + column + 32 * j;
            if (y >= p.m || x >= p.n) continue;
            float* entry = to + static_cast<size_t>(y) * p.n + x;
            float four[4];
#pragma unroll
            for (int v = 0; v < 4; ++v) {
                four[v] = sum[i][4 * j + v];
                if (!whole || x + v >= p.n) continue;
                if (p.accumulate) four[v] += entry[v];
                if (p.has_bias) four[v] += bias[x + v];
                if (p.relu && four[v] < 0) four[v] = 0;
            }
            if (p.vector_c) {
                *reinterpret_cast<float4*>(entry) = make_float4(four[0], four[1], four[2], four[3]);
                continue;
            }
#pragma unroll
            for (int v = 0; v < 4; ++v)
                if (x + v < p.n) entry[v] = four[v];
        }
    }
}

template <int tile, int slab, int warps_m, int warps_n>
__device__ void multiply_any(Slabs<tile, slab>& slabs, const float* a, const float* b,
                             const float* bias, float* c, const Product& p) {
    const int first = blockIdx.z * p.part;
    multiply<tile, slab, warps_m, warps_n>(
        slabs,
        Operand<tile, slab>(a, !p.transpose_a, p.vector_a, first_row_of_block<tile>(p), first, p.m,
                            p.k),
        Operand<tile, slab>(b, p.transpose_b, p.vector_b, first_column_of_block<tile>(p), first,
                            p.n, p.k),
        bias, c, p);
}

// Launch: {{(n + 31) / 32 * ((m + 31) / 32), 1, parts of k}, 64}.
extern "C" __global__ void __launch_bounds__(64)
    tensor_matmul_v2(const float* a, const float* b, const float* bias, float* c, Product p) {
    __shared__ Slabs<32, 16> slabs;
    multiply_any<32, 16, 2, 1>(slabs, a, b, bias, c, p);
}

// Launch: {{(n + 63) / 64 * ((m + 63) / 64), 1, parts of k}, 128}.
extern "C" __global__ void __launch_bounds__(128, 4)
    tensor_matmul_v3(const float* a, const float* b, const float* bias, float* c, Product p) {
    __shared__ Slabs<64, 16> slabs;
    multiply_any<64, 16, 4, 1>(slabs, a, b, bias, c, p);
}

template <bool transpose_a, bool transpose_b>
__device__ void multiply_aligned(Slabs<128, 8>& slabs, const float* a, const float* b,
                                 const float* bias, float* c, const Product& p) {
    const int first = blockIdx.z * p.part;
    multiply<128, 8, 4, 2>(
        slabs, AlignedOperand<128, 8, !transpose_a>(a, first_row_of_block<128>(p), first, p.m, p.k),
        AlignedOperand<128, 8, transpose_b>(b, first_column_of_block<128>(p), first, p.n, p.k),
        bias, c, p);
}

// Launch: {{(n + 127) / 128 * ((m + 127) / 128), 1, parts of k}, 256}. For vector_a and vector_b,
// and a multiple of 8 for k.
extern "C" __global__ void __launch_bounds__(256, 2)
    tensor_matmul_v4_nn(const float* a, const float* b, const float* bias, float* c, Product p) {
    __shared__ Slabs<128, 8> slabs;
    multiply_aligned<false, false>(slabs, a, b, bias, c, p);
}

// b transposed
extern "C" __global__ void __launch_bounds__(256, 2)
    tensor_matmul_v4_nt(const float* a, const float* b, const float* bias, float* c, Product p) {
    __shared__ Slabs<128, 8> slabs;
    multiply_aligned<false, true>(slabs, a, b, bias, c, p);
}

// a transposed
extern "C" __global__ void __launch_bounds__(256, 2)
    tensor_matmul_v4_tn(const float* a, const float* b, const float* bias, float* c, Product p) {
    __shared__ Slabs<128, 8> slabs;
    multiply_aligned<true, false>(slabs, a, b, bias, c, p);
}

// The sum of the parts, each (m, n). Launch: {(m * n + 255) / 256, 256}.
extern "C" __global__ void tensor_matmul_sum(const float* parts, int count, const float* bias,
                                             float* c, Product p) {
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
