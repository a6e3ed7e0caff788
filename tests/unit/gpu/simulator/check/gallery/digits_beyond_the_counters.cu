// A radix sort counts four bits of each key with counters for three.
// launch: grid 1 block 32 int[32] int[16]=empty
// expect: out_of_bounds counts[8] thread (8,0,0)
__global__ void count_digits(const int* x, int* y) {
#ifdef REPAIRED
    __shared__ int counts[16];
#else
    __shared__ int counts[8];
#endif
    const int t = threadIdx.x;
    if (t < sizeof counts / sizeof(int)) counts[t] = 0;
    __syncthreads();
    atomicAdd(&counts[x[t] & 15], 1);  // first
    __syncthreads();
    if (t < 16) y[t] = counts[t % (sizeof counts / sizeof(int))];
}
