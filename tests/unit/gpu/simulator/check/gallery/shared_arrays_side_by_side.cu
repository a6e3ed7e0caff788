// An index runs from one shared array into the next.
// launch: grid 1 block 32 float[64] float[32]=empty
// expect: out_of_bounds thread (31,0,0)
__global__ void two_tiles(const float* x, float* y) {
    __shared__ float a[32];
    __shared__ float b[32];
    int t = threadIdx.x;
    a[t] = x[t];
    b[t] = x[t + 32];
    __syncthreads();
#ifdef REPAIRED
    y[t] = a[t] + b[(t + 1) % 32] + a[(t + 1) % 32];
#else
    y[t] = a[t] + b[t + 1] + a[t + 1];  // first
#endif
}
