// An unsigned index that goes below zero is 4 billion: nearer to the other buffer than to its own.
// launch: grid 1 block 32 float[32] float[32]=zero 32
// expect: out_of_bounds x[4294967295] thread (0,0,0)
// compiler: clang
__global__ void differences(const float* x, float* y, unsigned n) {
    unsigned i = threadIdx.x;
#ifdef REPAIRED
    if (i > 0 && i < n) y[i] = x[i] - x[i - 1];
#else
    if (i < n) y[i] = x[i - 1] - x[i];  // first
#endif
}
