// A transposition that takes the number of columns for that of rows.
// launch: grid 1 block 8x4 float[32] float[32]=empty 4 8
// expect: race y[8] thread (0,1,0) against thread (2,0,0)
__global__ void transpose(const float* x, float* y, int rows, int columns) {
    const int i = threadIdx.y, j = threadIdx.x;
#ifdef REPAIRED
    y[j * rows + i] = x[i * columns + j];
#else
    y[(j * rows + i * columns) % (rows * columns)] = x[i * columns + j];  // first second
#endif
}
