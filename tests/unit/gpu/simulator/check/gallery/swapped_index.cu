// Row and column are exchanged in an image that is not square.
// launch: grid 2x1 block 16x16 float[320] float[320]=empty 10 32
// expect: out_of_bounds x[320] thread (10,0,0)
__global__ void brighter(const float* x, float* y, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns)
#ifdef REPAIRED
        y[row * columns + column] = x[row * columns + column] + 1;
#else
        y[row * columns + column] = x[column * columns + row] + 1;  // first
#endif
}
