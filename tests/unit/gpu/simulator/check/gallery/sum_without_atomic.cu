// All threads add to one number.
// launch: grid 1 block 64 int[64] int[1]=zero 64
// expect: race total[0] thread (1,0,0) against thread (0,0,0)
__global__ void sum(const int* x, int* total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
#ifdef REPAIRED
        atomicAdd(total, x[i]);
#else
        *total += x[i];  // first second
#endif
}
