// An int is too small for rows times columns.
// launch: grid 1 block 32 float[96] float[32]=empty 50000 50000
// expect: out_of_bounds x[-1794967296] thread (0,0,0)
__global__ void pick(const float* x, float* y, int row, int columns) {
    int i = threadIdx.x;
#ifdef REPAIRED
    y[i] = x[static_cast<size_t>(row) * columns % 64 + i];
#else
    y[i] = x[row * columns + i];  // first
#endif
}
