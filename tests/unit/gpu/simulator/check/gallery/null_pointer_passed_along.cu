// Threads of the second block hand 0 over for a pointer.
// launch: grid 2 block 32 int[64] int[64]=empty
// expect: out_of_bounds block (1,0,0) thread (0,0,0)
__device__ int twice(const int* p) {
    return 2 * p[threadIdx.x];  // first
}
__global__ void twice_all(const int* x, int* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    y[i] = twice(x + blockIdx.x * blockDim.x);
#else
    y[i] = twice(blockIdx.x == 0 ? x : 0);
#endif
}
