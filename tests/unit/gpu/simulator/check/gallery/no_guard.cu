// More threads than elements, and no guard.
// launch: grid 2 block 64 float[100] float[100]=empty 100
// expect: out_of_bounds x[100] block (1,0,0) thread (36,0,0)
__global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    if (i < n) y[i] = 2 * x[i];
#else
    y[i] = 2 * x[i];  // first
#endif
}
