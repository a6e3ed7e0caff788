// gridDim stands where blockDim should: the blocks' elements overlap.
// launch: grid 10 block 100 int[1000] int[1000] int[1000]=empty 1000
// expect: race c[10] block (1,0,0) thread (0,0,0) against thread (10,0,0)
// says: blockIdx.x * blockDim.x + threadIdx.x
__global__ void largest(const int* a, const int* b, int* c, int n) {
#ifdef REPAIRED
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#else
    int i = blockIdx.x * gridDim.x + threadIdx.x;
#endif
    if (i < n) c[i] = max(a[i], b[i]);  // first second
}
