// The largest value has no bin.
// launch: grid 1 block 64 int[64] int[16]=zero
// expect: out_of_bounds bins[16] thread (16,0,0)
__global__ void histogram(const int* x, int* counts) {
    __shared__ int bins[16];
    int t = threadIdx.x;
    if (t < 16) bins[t] = 0;
    __syncthreads();
#ifdef REPAIRED
    atomicAdd(&bins[x[t] % 16], 1);
#else
    atomicAdd(&bins[x[t] % 17], 1);  // first
#endif
    __syncthreads();
    if (t < 16) counts[t] = bins[t];
}
