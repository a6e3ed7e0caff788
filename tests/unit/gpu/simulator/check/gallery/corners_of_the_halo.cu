// Rows and columns of the halo are loaded, and its corners by nobody.
// launch: grid 3x2 block 16x16 float[1200] float[9] float[1200]=empty 30 40
// expect: uninitialised_read tile[0] thread (0,0,0)
#define T 16
__global__ void correlation(const float* image, const float* filter, float* out, int rows, int columns) {
    __shared__ float tile[T + 2][T + 2];
    int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
    auto pixel = [=](int y, int x) { return y >= 0 && y < rows && x >= 0 && x < columns ? image[y * columns + x] : 0; };
    bool left = threadIdx.x == 0, right = threadIdx.x == T - 1, top = threadIdx.y == 0, bottom = threadIdx.y == T - 1;
    tile[threadIdx.y + 1][threadIdx.x + 1] = pixel(r, c);
    if (left) tile[threadIdx.y + 1][0] = pixel(r, c - 1);
    if (right) tile[threadIdx.y + 1][T + 1] = pixel(r, c + 1);
    if (top) tile[0][threadIdx.x + 1] = pixel(r - 1, c);
    if (bottom) tile[T + 1][threadIdx.x + 1] = pixel(r + 1, c);
#ifdef REPAIRED
    if (left && top) tile[0][0] = pixel(r - 1, c - 1);
    if (right && top) tile[0][T + 1] = pixel(r - 1, c + 1);
    if (left && bottom) tile[T + 1][0] = pixel(r + 1, c - 1);
    if (right && bottom) tile[T + 1][T + 1] = pixel(r + 1, c + 1);
#endif
    __syncthreads();
    if (r >= rows || c >= columns) return;
    float sum = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum += filter[i * 3 + j] * tile[threadIdx.y + i][threadIdx.x + j];  // first
    out[r * columns + c] = sum;
}
