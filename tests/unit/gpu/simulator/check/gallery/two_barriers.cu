// Each way through the branch has a barrier of its own.
// launch: grid 1 block 64 float[64] float[64]=empty
// expect: barrier_divergence thread (0,0,0) against thread (32,0,0)
__global__ void swap_halves(const float* x, float* y) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    if (t < 32) {
        tile[t + 32] = x[t];
#ifndef REPAIRED
        __syncthreads();  // first
#endif
    } else {
        tile[t - 32] = x[t];
#ifndef REPAIRED
        __syncthreads();  // second
#endif
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    y[t] = tile[t];
}
