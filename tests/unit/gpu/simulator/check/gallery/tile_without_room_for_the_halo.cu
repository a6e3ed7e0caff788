// The tile has room for the halo's column on one side only: rows run into the next.
// launch: grid 3x2 block 16x16 float[1200] float[1200]=empty 30 40
// expect: race tile[17] thread (0,1,0) against thread (1,0,0)
// says: does an index run beyond its row of tile[T + 2][WIDTH]?
#define T 16
#ifdef REPAIRED
#define WIDTH (T + 2)
#else
#define WIDTH (T + 1)
#endif
__global__ void left_and_right(const float* image, float* out, int rows, int columns) {
    __shared__ float tile[T + 2][WIDTH];
    int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    for (int i = threadIdx.y; i < T + 2; i += T)
        for (int j = threadIdx.x; j < T + 2; j += T) {
            int r = blockIdx.y * T + i - 1, c = blockIdx.x * T + j - 1;
            tile[i][j] = r >= 0 && r < rows && c >= 0 && c < columns ? image[r * columns + c] : 0;  // first second
        }
    __syncthreads();
    if (row < rows && column < columns) out[row * columns + column] = tile[threadIdx.y + 1][threadIdx.x] + tile[threadIdx.y + 1][threadIdx.x + 2];
}
