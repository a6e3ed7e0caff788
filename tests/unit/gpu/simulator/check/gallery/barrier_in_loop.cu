// The number of times that threads come to the barrier is not the same for all.
// launch: grid 1 block 32 float[80] float[32]=empty 80
// expect: barrier_divergence thread (0,0,0) against thread (16,0,0)
__global__ void add_up(const float* x, float* y, int n) {
    __shared__ float tile[32];
    int t = threadIdx.x;
    tile[t] = 0;
#ifdef REPAIRED
    for (int first = 0; first < n; first += 32) {
        if (first + t < n) tile[t] += x[first + t];
        __syncthreads();
    }
#else
    for (int i = t; i < n; i += 32) {
        tile[t] += x[i];
        __syncthreads();  // first
    }
#endif
    y[t] = tile[t];
}
