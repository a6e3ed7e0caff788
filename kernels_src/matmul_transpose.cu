// A matrix times its own transpose: c = x * transpose(x) in fp32. Entry (i, j) is the dot product
// of rows i and j of x, so both operands are read along rows. c is symmetric: half of it need not
// be computed. There are 2 * rows^2 * columns operations on rows * columns numbers, so arithmetic
// limits the speed, not memory, once tiles are reused.
//
//   matmul_transpose_v1  exactly one block of 1024 threads, as the assignment asks: only one
//                        multiprocessor works
//   matmul_transpose_v2  one block per 32x32 tile of c; it loads its rows into shared memory, where
//                        each number is read 32 times
//   matmul_transpose_v3  4x4 entries per thread in registers, tiles of 64x64, and only the upper
//                        half of c: the other half is its mirror image
//   matmul_transpose_v4  16x8 entries per thread, tiles of 128x128, 16-byte accesses, and the next
//                        slab of x is loaded while this one is used
//
// matmul_transpose_v4_tile<1> is v4 with 8x4 entries per thread and tiles of 64x64, for matrices
// with fewer than about 1500 rows: they have too few large tiles to keep all multiprocessors busy.
// If there are many columns, they can be shared out as well: each row of the grid multiplies a part
// of the columns into a c of its own, and matmul_transpose_sum adds these up.
// Buffers start at an address divisible by 16, as every device buffer does. Any number of rows and
// columns.
//
// -DRUNG=4 compiles only v4, which takes half as long as compiling all of them; 5 compiles only the
// v4_tile that is requested.
#ifndef RUNG
#define RUNG 0
#endif

// BEGIN ANSWER: lesson 03 asks for this; the hand-out leaves it out.
#if RUNG == 0 || RUNG == 1
// Launch: {1, 1024}.
extern "C" __global__ void matmul_transpose_v1(const float* x, float* c, int rows,
                                               int columns)  // x: (rows, columns), c: (rows, rows)
{
    // Below 2^32, because there are fewer than 65536 rows.
    const unsigned entries = static_cast<unsigned>(rows) * rows;
    for (unsigned entry = threadIdx.x; entry < entries; entry += blockDim.x) {
        const float* left = x + static_cast<size_t>(entry / rows) * columns;
        const float* right = x + static_cast<size_t>(entry % rows) * columns;
        float sum = 0;
        for (int k = 0; k < columns; ++k) sum += left[k] * right[k];
        c[entry] = sum;
    }
}
#endif

#if RUNG == 0 || RUNG == 2
// Launch: {{(rows + 31) / 32, (rows + 31) / 32}, {32, 32}}.
extern "C" __global__ void matmul_transpose_v2(const float* x, float* c, int rows,
                                               int columns)  // x: (rows, columns), c: (rows, rows)
{
    constexpr int tile = 32;
    __shared__ float left[tile][tile];
    // + 1: the lanes of a warp read one column, which would otherwise lie in one bank.
    __shared__ float right[tile][tile + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * tile + ty;
    const int column = blockIdx.x * tile + tx;
    // The row of x that this thread loads for the others; it computes with the row `column`.
    const int partner = blockIdx.x * tile + ty;
    float sum = 0;
    for (int start = 0; start < columns; start += tile) {
        const int k = start + tx;
        left[ty][tx] = row < rows && k < columns ? x[static_cast<size_t>(row) * columns + k] : 0;
        right[ty][tx] =
            partner < rows && k < columns ? x[static_cast<size_t>(partner) * columns + k] : 0;
        __syncthreads();  // the tiles are complete
        for (int k = 0; k < tile; ++k) sum += left[ty][k] * right[tx][k];
        __syncthreads();  // all threads have read them
    }
    if (row < rows && column < rows) c[static_cast<size_t>(row) * rows + column] = sum;
}
#endif

// END ANSWER

// Tiles of the upper half are numbered row by row, the diagonal first: 0 1 2 / 3 4 / 5 for three
// rows of tiles.
__device__ int2 upper_tile(int number, int tiles) {
    int row = 0;
    while (number >= tiles - row) number -= tiles - row++;
    int2 tile;
    tile.x = row + number;  // column of tiles
    tile.y = row;
    return tile;
}

#if RUNG == 0 || RUNG == 3
// Launch: tiles = (rows + 63) / 64, {tiles * (tiles + 1) / 2, {16, 16}}.
extern "C" __global__ void matmul_transpose_v3(const float* x, float* c, int rows,
                                               int columns)  // x: (rows, columns), c: (rows, rows)
{
    constexpr int tile = 64, slab = 16, side = 16, each = tile / side;
    // Transposed: one k is one row. + 1, because it is written along a column.
    __shared__ float left[slab][tile + 1];
    __shared__ float right[slab][tile + 1];
    const int2 at = upper_tile(blockIdx.x, (rows + tile - 1) / tile);
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum[each][each] = {};
    for (int start = 0; start < columns; start += slab) {
        const int k = start + tx;
        for (int i = ty; i < tile; i += side) {
            const int row = at.y * tile + i, partner = at.x * tile + i;
            left[tx][i] = row < rows && k < columns ? x[static_cast<size_t>(row) * columns + k] : 0;
            right[tx][i] =
                partner < rows && k < columns ? x[static_cast<size_t>(partner) * columns + k] : 0;
        }
        __syncthreads();
#pragma unroll 2
        for (int k = 0; k < slab; ++k) {
            // 8 reads of shared memory for 16 multiplications; v2 needs 2 for 1.
            float a[each], b[each];
            for (int i = 0; i < each; ++i) a[i] = left[k][ty + side * i];
            for (int j = 0; j < each; ++j) b[j] = right[k][tx + side * j];
            for (int i = 0; i < each; ++i)
                for (int j = 0; j < each; ++j) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < each; ++i)
        for (int j = 0; j < each; ++j) {
            const int row = at.y * tile + ty + side * i, column = at.x * tile + tx + side * j;
            if (row >= rows || column >= rows) continue;
            c[static_cast<size_t>(row) * rows + column] = sum[i][j];
            // A tile on the diagonal contains its own mirror image.
            if (at.x != at.y) c[static_cast<size_t>(column) * rows + row] = sum[i][j];
        }
}
#endif

constexpr int slab = 8;  // columns of x that are in shared memory at a time

// The factors that a thread multiplies for one k: with quads = 2, 6 reads of 16 bytes for 128
// multiplications.
template <int quads>
struct Factors {
    alignas(16) float left[8 * quads], right[4 * quads];

    // Starts at this thread's first four rows and columns.
    __device__ void read(const float4* from_left, const float4* from_right) {
#pragma unroll
        for (int q = 0; q < 2 * quads; ++q) reinterpret_cast<float4*>(left)[q] = from_left[8 * q];
#pragma unroll
        for (int q = 0; q < quads; ++q) reinterpret_cast<float4*>(right)[q] = from_right[16 * q];
    }

    __device__ void add_products(float (&sum)[8 * quads][4 * quads]) const {
#pragma unroll
        for (int i = 0; i < 8 * quads; ++i)
        // The compiler would turn += and * into fmaf anyway; NVRTC compiles the explicit call
        // faster.
#pragma unroll
            for (int j = 0; j < 4 * quads; ++j) sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
    }
};

// Copies the tile through shared memory, 32 rows at a time, so that the tile and its mirror image
// are both written along rows, with any alignment.
template <int quads, int pitch>
__device__ void write_both_images(const float (&sum)[8 * quads][4 * quads], float* c, int rows,
                                  int2 at, int row4, int column4, float4* shared) {
    constexpr int tile = 64 * quads;
    const int thread = threadIdx.x;
    const float* staged = reinterpret_cast<const float*>(shared);
    const int left = at.x * tile, width = rows - left < tile ? rows - left : tile;
#pragma unroll 1  // unrolled, NVRTC would take a tenth longer
    for (int q = 0; q < 2 * quads; ++q) {
        const int top = at.y * tile + 32 * q, height = rows - top < 32 ? rows - top : 32;
        __syncthreads();
#pragma unroll
        for (int own = 0; own < 2 * quads; ++own)
            if (own == q)  // the registers must be known at compile time
#pragma unroll
                for (int i = 0; i < 4; ++i)
#pragma unroll
                    for (int p = 0; p < quads; ++p)
                        shared[(4 * row4 + i) * pitch + column4 + 16 * p] =
                            *reinterpret_cast<const float4*>(&sum[4 * own + i][4 * p]);
        __syncthreads();
        if (thread % tile < width)
#pragma unroll 1
            for (int i = thread / tile; i < height; i += 128 / tile)
                c[static_cast<size_t>(top + i) * rows + left + thread % tile] =
                    staged[i * 4 * pitch + thread % tile];
        if (at.x != at.y &&
            thread % 32 < height)  // a tile of the diagonal holds its own mirror image
#pragma unroll 1
            for (int j = thread / 32; j < width; j += 4)
                c[static_cast<size_t>(left + j) * rows + top + thread % 32] =
                    staged[thread % 32 * 4 * pitch + j];
    }
}

// A block of 128 threads computes a tile of (64 * quads)^2 entries. A thread owns 2 * quads by
// quads squares of 4x4, 32 rows and 64 columns apart. The slabs are stored transposed in shared
// memory, so that four rows at one k are one read of 16 bytes.
template <int quads>
__device__ void upper_half_by_tiles(const float* x, float* c, int rows, int columns) {
    // pitch: in float4. + 1 spreads the writes of a warp over all banks.
    constexpr int tile = 64 * quads, pitch = tile / 4 + 1;
    // A left and a right slab, twice: one pair is used while the other is filled.
    __shared__ float4 shared[4 * slab * pitch];
    const int2 at = upper_tile(blockIdx.x, (rows + tile - 1) / tile);
    // The columns of x for this row of the grid: all if there is only one.
    const int part = ((columns + gridDim.y - 1) / gridDim.y + slab - 1) / slab * slab;
    const int first = blockIdx.y * part, last = min(columns, first + part);
    c += static_cast<size_t>(blockIdx.y) * rows * rows;
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    // 2x2 warps of 4x8 lanes. Two neighbouring lanes (lane ^ 1 or lane ^ 2) read the same 16 bytes,
    // which shared memory delivers at once.
    const int row4 = warp / 2 * 4 + lane / 16 * 2 + lane % 2, column4 = warp % 2 * 8 + lane / 2 % 8;

    // What this thread loads from x: four numbers, starting at column `load_k` of a slab, of every
    // 64th row, for both sides. 0 outside x. One by one if rows are not aligned to 16 bytes.
    const bool aligned = columns % 4 == 0;
    const int load_row = thread / 2, load_k = thread % 2 * 4;
    float4 next[2][quads];
    auto fetch = [&](int start) {
        const int k = start + load_k;
#pragma unroll
        for (int side = 0; side < 2; ++side)
#pragma unroll
            for (int q = 0; q < quads; ++q) {
                const int row = (side ? at.x : at.y) * tile + load_row + 64 * q;
                const float* from = x + static_cast<size_t>(row) * columns + k;
                float4 four = make_float4(0, 0, 0, 0);
                if (row < rows && aligned) {
                    if (k < last) four = *reinterpret_cast<const float4*>(from);
                } else if (row < rows) {
                    if (k < last) four.x = from[0];
                    if (k + 1 < last) four.y = from[1];
                    if (k + 2 < last) four.z = from[2];
                    if (k + 3 < last) four.w = from[3];
                }
                next[side][q] = four;
            }
    };
    auto store = [&](float4* slabs) {
#pragma unroll
        for (int side = 0; side < 2; ++side)
#pragma unroll
            for (int q = 0; q < quads; ++q) {
                float* to = reinterpret_cast<float*>(slabs + (side * slab + load_k) * pitch) +
                            load_row + 64 * q;
                to[0] = next[side][q].x, to[4 * pitch] = next[side][q].y,
                to[8 * pitch] = next[side][q].z, to[12 * pitch] = next[side][q].w;
            }
    };

    // While the products of one k are computed, the factors of the next k are loaded from shared
    // memory and the next slab from x. The loop handles two k at a time: unrolling all eight would
    // be 8 % faster, but NVRTC would take half as long again.
    alignas(16) float sum[8 * quads][4 * quads] = {};
    Factors<quads> even, odd;
    fetch(first);
    store(shared);
    __syncthreads();
    fetch(first + slab);
    int half = 0;
    const float4* from = shared;
    even.read(from + row4, from + slab * pitch + column4);
    for (int start = first; start < last; start += slab) {
#pragma unroll(quads == 1 ? 4 : 1)
        for (int k = 0; k < slab; k += 2) {
            odd.read(from + pitch + row4, from + (slab + 1) * pitch + column4);
            even.add_products(sum);
            from += 2 * pitch;
            if (k == slab - 2) {
                half = 1 - half;
                from = shared + half * 2 * slab * pitch;
                store(shared + half * 2 * slab * pitch);
                // One barrier per slab: the next write goes to the other half, which all threads
                // have already read.
                __syncthreads();
                fetch(start + 2 * slab);
            }
            even.read(from + row4, from + slab * pitch + column4);
            odd.add_products(sum);
        }
    }

    write_both_images<quads, pitch>(sum, c, rows, at, row4, column4, shared);
}

#if RUNG == 0 || RUNG == 4
// Launch: tiles = (rows + 127) / 128, {tiles * (tiles + 1) / 2, 128}.
extern "C" __global__ void __launch_bounds__(128, 2)
    matmul_transpose_v4(const float* x, float* c, int rows,
                        int columns)  // x: (rows, columns), c: (rows, rows)
{
    upper_half_by_tiles<2>(x, c, rows, columns);
}
#endif

// Launch: edge = 64 * quads, tiles = (rows + edge - 1) / edge, {tiles * (tiles + 1) / 2, 128}, or
// {{tiles * (tiles + 1) / 2, parts}, 128} with c: (parts, rows, rows). Named
// matmul_transpose_v4_tile<1>; <2> is v4 itself.
template <int quads>
__global__ void __launch_bounds__(128, 4 / quads)
    matmul_transpose_v4_tile(const float* x, float* c, int rows,
                             int columns)  // x: (rows, columns), c: (rows, rows)
{
    upper_half_by_tiles<quads>(x, c, rows, columns);
}

#if RUNG == 0 || RUNG == 5
// The sum of the matrices of all parts. Launch: {(entries + 255) / 256, 256}, entries = rows *
// rows.
extern "C" __global__ void matmul_transpose_sum(const float* matrices, float* c, unsigned entries,
                                                int parts) {
    const unsigned entry = blockIdx.x * blockDim.x + threadIdx.x;
    if (entry >= entries) return;
    float sum = 0;
    for (int part = 0; part < parts; ++part)
        sum += matrices[static_cast<size_t>(part) * entries + entry];
    c[entry] = sum;
}
#endif
