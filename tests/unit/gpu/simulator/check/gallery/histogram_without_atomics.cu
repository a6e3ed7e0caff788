// Two threads may see the same value at the same time.
// launch: grid 1 block 32 int[32] int[4]=zero 32
// expect: race bins[0] thread (4,0,0) against thread (0,0,0)
__global__ void histogram(const int* x, int* bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#ifdef REPAIRED
    atomicAdd(&bins[x[i] % 4], 1);
#else
    bins[x[i] % 4]++;  // first second
#endif
}
