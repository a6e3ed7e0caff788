// Rows and columns are rounded down.
// launch: grid 2x2 block 8x8 float[380] float[380]=empty 19 20
// repaired launch: grid 3x3 block 8x8 float[380] float[380]=empty 19 20
// expect: untouched_elements y[16]
__global__ void twice(const float* x, float* y, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) y[row * columns + column] = 2 * x[row * columns + column];
}
