// Threads with more elements make more rounds, and each round has a barrier.
// launch: grid 1 block 64 int[100] int[1]=zero 100
// expect: barrier_divergence thread (0,0,0) against thread (36,0,0)
__global__ void sum(const int* x, int* y, int n) {
    __shared__ int parts[64];
    int t = threadIdx.x;
    parts[t] = 0;
#ifdef REPAIRED
    for (int i = t; i < n; i += 64) parts[t] += x[i];
    __syncthreads();
#else
    for (int i = t; i < n; i += 64) {
        parts[t] += x[i];
        __syncthreads();  // first
    }
#endif
    if (t == 0)
        for (int k = 0; k < 64; ++k) *y += parts[k];
}
