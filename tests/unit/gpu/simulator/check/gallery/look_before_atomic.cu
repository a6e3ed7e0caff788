// Most threads need not take part in the maximum: a look before tells, but only a volatile one is made each time.
// launch: grid 2 block 32 int[64] int[1]=zero
// expect: race best[0] thread (1,0,0) against thread (0,0,0)
__global__ void largest(const int* x, int* best) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    if (*(volatile int*)best < x[i]) atomicMax(best, x[i]);
#else
    int now = *best;                        // second
    if (now < x[i]) atomicMax(best, x[i]);  // first
#endif
}
