// A loop over the grid goes on by one block's threads only.
// launch: grid 4 block 32 int[1000] int[1000] int[1000]=empty 1000
// expect: race c[32] block (1,0,0) thread (0,0,0) against thread (0,0,0)
// says: a loop over the grid its step, gridDim.x * blockDim.x
__global__ void largest(const int* a, const int* b, int* c, int n) {
#ifdef REPAIRED
    int step = gridDim.x * blockDim.x;
#else
    int step = blockDim.x;
#endif
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) c[i] = max(a[i], b[i]);  // first second
}
