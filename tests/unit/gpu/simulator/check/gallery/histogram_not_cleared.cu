// Only the first warp clears bins, and there are more bins than lanes.
// launch: grid 1 block 64 int[64] int[64]=zero
// expect: uninitialised_read bins[32] thread (32,0,0)
__global__ void histogram(const int* x, int* counts) {
    __shared__ int bins[64];
    int t = threadIdx.x;
#ifdef REPAIRED
    bins[t] = 0;
#else
    if (t < 32) bins[t] = 0;
#endif
    __syncthreads();
    atomicAdd(&bins[x[t]], 1);  // first
    __syncthreads();
    counts[t] = bins[t];
}
