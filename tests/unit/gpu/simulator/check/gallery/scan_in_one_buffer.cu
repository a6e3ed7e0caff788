// A scan that doubles its step: each thread overwrites what another one still has to read.
// launch: grid 1 block 32 int[32] int[32]=empty
// expect: race sums[1] thread (2,0,0) against thread (1,0,0)
__global__ void scan(const int* x, int* y) {
    __shared__ int sums[32];
    const int t = threadIdx.x;
    sums[t] = x[t];
    __syncthreads();
    for (int step = 1; step < 32; step *= 2) {
#ifdef REPAIRED
        const int other = t >= step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += other;
#else
        if (t >= step) sums[t] += sums[t - step];  // first second
#endif
        __syncthreads();
    }
    y[t] = sums[t];
}
