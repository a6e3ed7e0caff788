// A matrix times its own transpose: c = x * transpose(x) in fp32. Entry (i, j) is the product of rows i and j of x, so both operands are read along rows, and c
// is symmetric: half of it need not be computed. 2 * rows^2 * columns operations on rows * columns numbers: a matter of arithmetic, not of memory, once tiles
// are reused.
//
//   matmul_transpose_v1  exactly one block of 1024 threads, as the assignment asks: one multiprocessor works, the others watch
//   matmul_transpose_v2  a block for each 32x32 tile of c; the rows it needs pass through shared memory, where each number is read 32 times
//   matmul_transpose_v3  4x4 entries a thread in registers, tiles of 64x64, and only the upper half of c: the other half is its mirror image
//   matmul_transpose_v4  8x8 entries a thread, tiles of 128x128, 16-byte accesses, and the next slab of x is on its way while this one is used
//
// matmul_transpose_v4_tile<1> is v4 with 4x4 entries a thread and tiles of 64x64, for matrices of less than about 1500 rows, whose large tiles would be too few
// to keep all multiprocessors busy. Buffers start at an address divisible by 16, as every device buffer does. Any number of rows and columns.

// Launch: {1, 1024}.
extern "C" __global__ void matmul_transpose_v1(const float* x, float* c, int rows, int columns)  // x: (rows, columns), c: (rows, rows)
{
    const long long entries = static_cast<long long>(rows) * rows;
    for (long long entry = threadIdx.x; entry < entries; entry += blockDim.x) {
        const float* left = x + entry / rows * columns;
        const float* right = x + entry % rows * columns;
        float sum = 0;
        for (int k = 0; k < columns; ++k) sum += left[k] * right[k];
        c[entry] = sum;
    }
}

// Launch: {{(rows + 31) / 32, (rows + 31) / 32}, {32, 32}}.
extern "C" __global__ void matmul_transpose_v2(const float* x, float* c, int rows, int columns)  // x: (rows, columns), c: (rows, rows)
{
    constexpr int tile = 32;
    __shared__ float left[tile][tile];
    __shared__ float right[tile][tile + 1];  // + 1: the lanes of a warp read one column, which without it lies in one bank
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * tile + ty;
    const int column = blockIdx.x * tile + tx;
    const int partner = blockIdx.x * tile + ty;  // the row of x that this thread loads for the others; its own is `column`
    float sum = 0;
    for (int start = 0; start < columns; start += tile) {
        const int k = start + tx;
        left[ty][tx] = row < rows && k < columns ? x[static_cast<size_t>(row) * columns + k] : 0;
        right[ty][tx] = partner < rows && k < columns ? x[static_cast<size_t>(partner) * columns + k] : 0;
        __syncthreads();  // the tiles are complete
        for (int k = 0; k < tile; ++k) sum += left[ty][k] * right[tx][k];
        __syncthreads();  // nobody reads them any more
    }
    if (row < rows && column < rows) c[static_cast<size_t>(row) * rows + column] = sum;
}

// Tiles of the upper half are numbered row by row, the diagonal first: 0 1 2 / 3 4 / 5 for three rows of tiles.
__device__ int2 upper_tile(int number, int tiles) {
    int row = 0;
    while (number >= tiles - row) number -= tiles - row++;
    int2 tile;
    tile.x = row + number;  // column of tiles
    tile.y = row;
    return tile;
}

// Launch: tiles = (rows + 63) / 64, {tiles * (tiles + 1) / 2, {16, 16}}.
extern "C" __global__ void matmul_transpose_v3(const float* x, float* c, int rows, int columns)  // x: (rows, columns), c: (rows, rows)
{
    constexpr int tile = 64, slab = 16, side = 16, each = tile / side;
    __shared__ float left[slab][tile + 1];  // transposed: one k is one row; + 1 because it is written along a column
    __shared__ float right[slab][tile + 1];
    const int2 at = upper_tile(blockIdx.x, (rows + tile - 1) / tile);
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum[each][each] = {};
    for (int start = 0; start < columns; start += slab) {
        const int k = start + tx;
        for (int i = ty; i < tile; i += side) {
            const int row = at.y * tile + i, partner = at.x * tile + i;
            left[tx][i] = row < rows && k < columns ? x[static_cast<size_t>(row) * columns + k] : 0;
            right[tx][i] = partner < rows && k < columns ? x[static_cast<size_t>(partner) * columns + k] : 0;
        }
        __syncthreads();
#pragma unroll 2
        for (int k = 0; k < slab; ++k) {
            float a[each], b[each];  // 8 reads of shared memory for 16 multiplications; v2 needs 2 for 1
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
            if (at.x != at.y) c[static_cast<size_t>(column) * rows + row] = sum[i][j];  // a tile of the diagonal holds its own mirror image
        }
}

// Four neighbours of a row of x, of which `left` exist; 0 for the others.
__device__ float4 four_of_row(const float* from, int left, bool aligned) {
    float4 four = {0, 0, 0, 0};
    if (aligned) {
        if (left > 0) four = *reinterpret_cast<const float4*>(from);
    } else {
        if (left > 0) four.x = from[0];
        if (left > 1) four.y = from[1];
        if (left > 2) four.z = from[2];
        if (left > 3) four.w = from[3];
    }
    return four;
}

// A block of 256 threads computes a tile of (64 * quads)^2 entries; a thread owns quads * quads squares of 4x4, 64 rows and columns apart. x passes through
// shared memory in slabs of 16 / quads columns, transposed, so that four rows at one k are one 16-byte read.
template <int quads>
__device__ void upper_half_by_tiles(const float* x, float* c, int rows, int columns) {
    constexpr int tile = 64 * quads, slab = 16 / quads, pitch = tile / 4 + 1;  // pitch in float4; + 1 spreads what a warp writes over the banks
    __shared__ float4 shared[64 * pitch];                                      // two halves of two slabs; at the end 64 rows of the tile
    static_assert(64 * pitch >= 4 * slab * pitch, "two halves of a left and a right slab fit");
    const int2 at = upper_tile(blockIdx.x, (rows + tile - 1) / tile);
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    // 2x4 warps of 4x8 lanes. Neighbours of a lane read the same 16 bytes, left (lane ^ 2) or right (lane ^ 1): shared memory then serves twice the lanes at
    // once.
    const int row4 = warp / 2 * 4 + lane / 16 * 2 + lane % 2, column4 = warp % 2 * 8 + lane / 2 % 8;

    // What this thread brings from x: four numbers of one row for either side, then the same of the next slab.
    const int load_row = thread / (slab / 4), load_k = thread % (slab / 4) * 4;
    const int left_row = at.y * tile + load_row, right_row = at.x * tile + load_row;
    const float* from_left = x + static_cast<size_t>(left_row) * columns + load_k;
    const float* from_right = x + static_cast<size_t>(right_row) * columns + load_k;
    const int left_numbers = left_row < rows ? columns - load_k : 0, right_numbers = right_row < rows ? columns - load_k : 0;
    const bool aligned = columns % 4 == 0;

    float sum[4 * quads][4 * quads] = {};
    int half = 0;
    for (int start = 0;; start += slab) {
        const float4 next_left = four_of_row(from_left, left_numbers - start, aligned);
        const float4 next_right = four_of_row(from_right, right_numbers - start, aligned);
        from_left += slab, from_right += slab;
        if (start > 0) {
            const float4* left = shared + half * 2 * slab * pitch;
            const float4* right = left + slab * pitch;
#pragma unroll
            for (int k = 0; k < slab; ++k) {
                float a[4 * quads], b[4 * quads];
#pragma unroll
                for (int q = 0; q < quads; ++q) {
                    const float4 four_left = left[k * pitch + row4 + 16 * q], four_right = right[k * pitch + column4 + 16 * q];
                    a[4 * q] = four_left.x, a[4 * q + 1] = four_left.y, a[4 * q + 2] = four_left.z, a[4 * q + 3] = four_left.w;
                    b[4 * q] = four_right.x, b[4 * q + 1] = four_right.y, b[4 * q + 2] = four_right.z, b[4 * q + 3] = four_right.w;
                }
#pragma unroll
                for (int i = 0; i < 4 * quads; ++i)
#pragma unroll
                    for (int j = 0; j < 4 * quads; ++j) sum[i][j] += a[i] * b[j];
            }
        }
        if (start >= columns) break;
        half = 1 - half;  // one barrier a slab: who is ahead writes into the half that nobody reads
        float* into_left = reinterpret_cast<float*>(shared + (half * 2 * slab + load_k) * pitch) + load_row;
        float* into_right = into_left + 4 * slab * pitch;
        into_left[0] = next_left.x, into_left[4 * pitch] = next_left.y, into_left[8 * pitch] = next_left.z, into_left[12 * pitch] = next_left.w;
        into_right[0] = next_right.x, into_right[4 * pitch] = next_right.y, into_right[8 * pitch] = next_right.z, into_right[12 * pitch] = next_right.w;
        __syncthreads();
    }

    // The tile leaves through shared memory, 64 rows at a time, so that both images of it are written along rows, whatever the alignment.
    const float* staged = reinterpret_cast<const float*>(shared);
#pragma unroll
    for (int q = 0; q < quads; ++q) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int p = 0; p < quads; ++p)
                shared[(4 * row4 + i) * pitch + column4 + 16 * p] =
                    make_float4(sum[4 * q + i][4 * p], sum[4 * q + i][4 * p + 1], sum[4 * q + i][4 * p + 2], sum[4 * q + i][4 * p + 3]);
        __syncthreads();
        const int top = at.y * tile + 64 * q, left = at.x * tile;
#pragma unroll 2
        for (int i = thread / tile; i < 64; i += 256 / tile) {
            const int j = thread % tile;
            if (top + i < rows && left + j < rows) c[static_cast<size_t>(top + i) * rows + left + j] = staged[i * 4 * pitch + j];
        }
        if (at.x == at.y) continue;  // a tile of the diagonal holds its own mirror image
#pragma unroll 2
        for (int j = thread / 64; j < tile; j += 4) {
            const int i = thread % 64;
            if (top + i < rows && left + j < rows) c[static_cast<size_t>(left + j) * rows + top + i] = staged[i * 4 * pitch + j];
        }
    }
}

// Launch: tiles = (rows + 127) / 128, {tiles * (tiles + 1) / 2, 256}.
extern "C" __global__ void __launch_bounds__(256, 2)
    matmul_transpose_v4(const float* x, float* c, int rows, int columns)  // x: (rows, columns), c: (rows, rows)
{
    upper_half_by_tiles<2>(x, c, rows, columns);
}

// Launch: edge = 64 * quads, tiles = (rows + edge - 1) / edge, {tiles * (tiles + 1) / 2, 256}. Named matmul_transpose_v4_tile<1> or <2>.
template <int quads>
__global__ void __launch_bounds__(256, 2) matmul_transpose_v4_tile(const float* x, float* c, int rows, int columns)  // x: (rows, columns), c: (rows, rows)
{
    upper_half_by_tiles<quads>(x, c, rows, columns);
}
