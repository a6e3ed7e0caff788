// Threads beyond the end return before the barrier.
// launch: grid 2 block 64 float[100] float[100]=empty 100
// expect: barrier_divergence block (1,0,0) thread (0,0,0) against block (1,0,0) thread (36,0,0)
__global__ void neighbour(const float* x, float* y, int n) {
    __shared__ float tile[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
#ifdef REPAIRED
    tile[t] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) y[i] = tile[t ^ 1];
#else
    if (i >= n) return;
    tile[t] = x[i];
    __syncthreads();  // first
    y[i] = tile[t ^ 1];
#endif
}
