// The places come from a scan, whose steps read what other threads write in the same step.
// launch: grid 1 block 64 int[64] int[64]=zero
// expect: race sums[1] thread (2,0,0) against thread (1,0,0)
__global__ void keep(const int* x, int* y) {
    __shared__ int sums[64];
    int t = threadIdx.x, kept = x[t] % 3 == 0;
    sums[t] = kept;
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
#ifdef REPAIRED
        int other = t >= step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += other;
#else
        if (t >= step) sums[t] += sums[t - step];  // first second
#endif
        __syncthreads();
    }
    if (kept) y[sums[t] - 1] = x[t];
}
