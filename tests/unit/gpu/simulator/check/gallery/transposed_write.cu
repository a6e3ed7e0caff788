// A transposed matrix has as many columns as the other had rows.
// launch: grid 3x1 block 8x8 float[120] float[120]=empty 5 24
// expect: out_of_bounds y[120] thread (5,0,0)
__global__ void transpose(const float* x, float* y, int rows, int columns) {
    int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < rows && column < columns)
#ifdef REPAIRED
        y[column * rows + row] = x[row * columns + column];
#else
        y[column * columns + row] = x[row * columns + column];  // first
#endif
}
