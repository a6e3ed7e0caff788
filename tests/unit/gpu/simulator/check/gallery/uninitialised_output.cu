// The sum is built up in an output that nobody has set to zero.
// launch: grid 1 block 32 float[200] float[20]=empty 20 10
// expect: uninitialised_read y[0] thread (0,0,0)
__global__ void row_sums(const float* x, float* y, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
#ifdef REPAIRED
    float sum = 0;
    for (int k = 0; k < columns; ++k) sum += x[row * columns + k];
    y[row] = sum;
#else
    for (int k = 0; k < columns; ++k) y[row] += x[row * columns + k];  // first
#endif
}
