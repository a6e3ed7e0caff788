// A scan goes back and forth between two arrays, without a barrier between the steps.
// launch: grid 1 block 64 int[64] int[64]=empty
// expect: race parts[0] thread (1,0,0) against thread (0,0,0)
__global__ void scan(const int* x, int* y) {
    __shared__ int parts[128];
    int t = threadIdx.x, from = 0;
    parts[t] = x[t];
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        parts[64 - from + t] = parts[from + t] + (t >= step ? parts[from + t - step] : 0);  // first second
        from = 64 - from;
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    y[t] = parts[from + t];
}
