// Only some threads of the block come to the barrier.
// launch: grid 1 block 64 float[64] float[64]=empty
// expect: barrier_divergence thread (0,0,0) against thread (48,0,0)
__global__ void shift(const float* x, float* y) {
    __shared__ float tile[64];
    int t = threadIdx.x;
#ifdef REPAIRED
    if (t < 48) tile[t] = x[t];
    __syncthreads();
#else
    if (t < 48) {
        tile[t] = x[t];
        __syncthreads();  // first
    }
#endif
    if (t < 47) y[t] = tile[t + 1];
}
