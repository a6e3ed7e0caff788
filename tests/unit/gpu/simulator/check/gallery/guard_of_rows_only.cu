// Columns are not guarded: those that are too many write into the next row.
// launch: grid 3x2 block 16x16 float[1200] float[1200]=empty 30 40
// expect: race y[40] block (2,0,0) thread (8,0,0) against thread (0,1,0)
// says: if (row < rows && column < columns)
__global__ void copy(const float* x, float* y, int rows, int columns) {
    int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    if (c >= columns) return;
#endif
    if (r < rows) y[r * columns + c] = x[r * columns + c];  // first second
}
