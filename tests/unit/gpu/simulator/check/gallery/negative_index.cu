// An index that wraps to the left of the first element.
// launch: grid 1 block 64 float[64] float[64]=empty 64 3
// expect: out_of_bounds x[-3] thread (0,0,0)
__global__ void rotate(const float* x, float* y, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    if (i < n) y[i] = x[(i - by + n) % n];
#else
    if (i < n) y[i] = x[(i - by) % n];  // first
#endif
}
