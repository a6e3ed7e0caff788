// Correlation of an image with a small filter, zero padding, result of the same size:
//   result[y][x] = sum over i, j of
//       filter[i][j] * image[y + i - filter_rows / 2][x + j - filter_columns / 2]
// Rows and columns of the filter are odd, at most 15, and may differ. Per result, two numbers are
// moved and filter_rows * filter_columns multiplications are done: a 3x3 filter can run almost as
// fast as a copy of the image, if each pixel is loaded from device memory only once.
//
//   correlation_v1        one block per row, one thread per column, everything from global
//                         memory, so at most 1024 columns
//   correlation_v2        a block loads its tile of 16x32 pixels, with a halo around it, into
//                         shared memory: any size of image
//   correlation_v3        coefficients in constant memory, eight results per thread: one load
//                         serves eight multiplications
//   correlation_v3_sized  v3 compiled for one size of filter, correlation_v3_sized<5, 3>: four
//                         columns per thread, and all sums stay in registers
//
// Buffers start at an address divisible by 16, as every device buffer does.

constexpr int largest_filter = 15;

// BEGIN ANSWER: lesson 06 asks for this; the hand-out leaves it out.
// Launch: {rows, columns}. A block has at most 1024 threads, so an image with more columns is
// refused.
extern "C" __global__ void correlation_v1(const float* filter, const float* image, float* result,
                                          int rows, int columns, int filter_rows,
                                          int filter_columns)
// filter: (filter_rows, filter_columns), image, result: (rows, columns)
{
    const int y = blockIdx.x, x = threadIdx.x;
    if (y >= rows || x >= columns) return;
    float sum = 0;
    for (int i = 0; i < filter_rows; ++i)
        for (int j = 0; j < filter_columns; ++j) {
            const int from_y = y + i - filter_rows / 2, from_x = x + j - filter_columns / 2;
            if (from_y < 0 || from_y >= rows || from_x < 0 || from_x >= columns) continue;
            sum += filter[i * filter_columns + j] *
                   image[static_cast<size_t>(from_y) * columns + from_x];
        }
    result[static_cast<size_t>(y) * columns + x] = sum;
}

// Launch: {{(columns + 31) / 32, (rows + 15) / 16}, {32, 16}}.
extern "C" __global__ void correlation_v2(const float* filter, const float* image, float* result,
                                          int rows, int columns, int filter_rows,
                                          int filter_columns)
// filter: (filter_rows, filter_columns), image, result: (rows, columns)
{
    constexpr int tile_rows = 16, tile_columns = 32;
    __shared__ float tile[tile_rows + largest_filter - 1][tile_columns + largest_filter - 1];
    const int top = blockIdx.y * tile_rows - filter_rows / 2,
              left = blockIdx.x * tile_columns - filter_columns / 2;
    for (int i = threadIdx.y; i < tile_rows + filter_rows - 1; i += tile_rows)
        for (int j = threadIdx.x; j < tile_columns + filter_columns - 1; j += tile_columns) {
            const int y = top + i, x = left + j;
            tile[i][j] = y >= 0 && y < rows && x >= 0 && x < columns
                             ? image[static_cast<size_t>(y) * columns + x]
                             : 0;
        }
    __syncthreads();  // other threads have loaded the halo
    const int y = blockIdx.y * tile_rows + threadIdx.y, x = blockIdx.x * tile_columns + threadIdx.x;
    if (y >= rows || x >= columns) return;
    float sum = 0;
    for (int i = 0; i < filter_rows; ++i)
        for (int j = 0; j < filter_columns; ++j)
            sum += filter[i * filter_columns + j] * tile[threadIdx.y + i][threadIdx.x + j];
    result[static_cast<size_t>(y) * columns + x] = sum;
}

// END ANSWER

// The coefficients of v3, (filter_rows, filter_columns) without gaps. The host sets them by this
// name before the launch. All lanes of a warp read the same coefficient at the same time: this is
// what constant memory is made for.
__constant__ float correlation_filter[largest_filter * largest_filter];

// Launch: {{(columns + 31) / 32, (rows + 63) / 64}, {32, 8}}, after correlation_filter was set.
extern "C" __global__ void correlation_v3(const float* image, float* result, int rows, int columns,
                                          int filter_rows, int filter_columns)
// image, result: (rows, columns)
{
    constexpr int each = 8;
    const int x = blockIdx.x * blockDim.x + threadIdx.x,
              top = (blockIdx.y * blockDim.y + threadIdx.y) * each;
    if (x >= columns || top >= rows) return;
    float sum[each] = {};
    for (int j = 0; j < filter_columns; ++j) {
        const int from_x = x + j - filter_columns / 2;
        if (from_x < 0 || from_x >= columns) continue;
        int y = top - filter_rows / 2;
        // One above the other; they move down along column j of the filter.
        float pixel[each];
#pragma unroll
        for (int row = 0; row < each - 1; ++row, ++y)
            pixel[row] = y >= 0 && y < rows ? image[static_cast<size_t>(y) * columns + from_x] : 0;
#pragma unroll 1
        for (int i = 0; i < filter_rows; ++i, ++y) {
            pixel[each - 1] =
                y >= 0 && y < rows ? image[static_cast<size_t>(y) * columns + from_x] : 0;
            const float coefficient = correlation_filter[i * filter_columns + j];
#pragma unroll
            for (int row = 0; row < each; ++row) sum[row] += coefficient * pixel[row];
#pragma unroll
            for (int row = 0; row < each - 1; ++row) pixel[row] = pixel[row + 1];
        }
    }
#pragma unroll
    for (int row = 0; row < each; ++row)
        if (top + row < rows) result[static_cast<size_t>(top + row) * columns + x] = sum[row];
}

// Four numbers of row y of the image, starting at column x (a multiple of 4); 0 outside the image.
// If columns is not a multiple of 4, rows are not aligned.
template <bool aligned>
__device__ float4 four_pixels(const float* image, int y, int x, int rows, int columns) {
    float4 four = {0, 0, 0, 0};
    if (y < 0 || y >= rows || x < 0 || x >= columns) return four;
    const float* from = image + static_cast<size_t>(y) * columns + x;
    if (aligned) return *reinterpret_cast<const float4*>(from);
    four.x = from[0];
    if (x + 1 < columns) four.y = from[1];
    if (x + 2 < columns) four.z = from[2];
    if (x + 3 < columns) four.w = from[3];
    return four;
}

// Rows top to bottom - 1 of four columns, starting at x. Each row of pixels is read once and added
// to all sums that need it, one per row of the filter. The oldest sum is then complete and is
// stored; the others move up by one.
template <int filter_rows, int filter_columns, bool aligned>
__device__ void slide_down(const float* image, float* result, int rows, int columns, int top,
                           int bottom, int x) {
    // side: how many float4 hold the halo to the left.
    constexpr int halo = filter_columns / 2, side = (halo + 3) / 4;
    // sum[i]: the result i rows below the one that is completed next; the last one stays 0.
    float sum[filter_rows + 1][4] = {};
    for (int y = top - filter_rows / 2; y < bottom + filter_rows / 2; ++y) {
        float window[4 * (2 * side + 1)];
#pragma unroll
        for (int part = 0; part < 2 * side + 1; ++part) {
            const float4 four =
                four_pixels<aligned>(image, y, x + 4 * (part - side), rows, columns);
            window[4 * part] = four.x, window[4 * part + 1] = four.y, window[4 * part + 2] = four.z,
                       window[4 * part + 3] = four.w;
        }
#pragma unroll
        for (int i = 0; i < filter_rows; ++i)
#pragma unroll
            for (int column = 0; column < 4; ++column) {
                float next = sum[i + 1][column];
#pragma unroll
                for (int j = 0; j < filter_columns; ++j)
                    next += correlation_filter[(filter_rows - 1 - i) * filter_columns + j] *
                            window[4 * side - halo + column + j];
                sum[i][column] = next;
            }
        const int done = y - filter_rows / 2;
        if (done < top) continue;
        float* to = result + static_cast<size_t>(done) * columns + x;
        if (aligned) {
            *reinterpret_cast<float4*>(to) =
                make_float4(sum[0][0], sum[0][1], sum[0][2], sum[0][3]);
        } else {
#pragma unroll
            for (int column = 0; column < 4; ++column)
                if (x + column < columns) to[column] = sum[0][column];
        }
    }
}

// Launch, after correlation_filter was set: one thread per four columns in x, strips of any height
// in y; the rows are divided among the strips of the grid. Fast: {{(columns + 1023) / 1024, (rows +
// 63) / 64}, 256}. For small images use narrower blocks and strips of 8 rows, which keep more
// multiprocessors busy.
template <int filter_rows, int filter_columns>
__global__ void correlation_v3_sized(const float* image, float* result, int rows,
                                     int columns)  // image, result: (rows, columns)
{
    static_assert(filter_rows % 2 == 1 && filter_columns % 2 == 1 &&
                      filter_rows <= largest_filter && filter_columns <= largest_filter,
                  "odd, at most 15");
    const int strips = gridDim.y * blockDim.y, height = (rows + strips - 1) / strips;
    const int top = (blockIdx.y * blockDim.y + threadIdx.y) * height,
              bottom = top + height < rows ? top + height : rows;
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= columns || top >= rows) return;
    if (columns % 4 == 0)
        slide_down<filter_rows, filter_columns, true>(image, result, rows, columns, top, bottom, x);
    else
        slide_down<filter_rows, filter_columns, false>(image, result, rows, columns, top, bottom,
                                                       x);
}
