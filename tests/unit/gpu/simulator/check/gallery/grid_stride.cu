// The stride of the loop is one block, not the whole grid: blocks do each other's work.
// launch: grid 2 block 32 int[128]=empty 128
// expect: race y[32] block (1,0,0) thread (0,0,0) against thread (0,0,0)
__global__ void fill(int* y, int n) {
#ifdef REPAIRED
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = i;
#else
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) y[i] = i;  // first second
#endif
}
