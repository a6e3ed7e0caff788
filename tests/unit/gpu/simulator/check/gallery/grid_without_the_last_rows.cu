// Columns are rounded up, rows are forgotten.
// launch: grid 2x1 block 16x16 float[800] float[800]=empty 40 20
// repaired launch: grid 2x3 block 16x16 float[800] float[800]=empty 40 20
// expect: untouched_elements y[320]
__global__ void twice(const float* x, float* y, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) y[row * columns + column] = 2 * x[row * columns + column];
}
