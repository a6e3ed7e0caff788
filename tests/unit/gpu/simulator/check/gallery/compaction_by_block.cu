// Each block takes its places in one step; the counter in shared memory is not set before it is used.
// launch: grid 4 block 64 int[256] int[256]=zero int[1]=zero 256
// expect: uninitialised_read mine[0] thread (0,0,0)
__global__ void keep(const int* x, int* y, int* count, int n) {
    __shared__ int mine, base;
    int i = blockIdx.x * blockDim.x + threadIdx.x, place = 0;
#ifdef REPAIRED
    if (threadIdx.x == 0) mine = 0;
    __syncthreads();
#endif
    bool kept = i < n && x[i] % 3 == 0;
    if (kept) place = atomicAdd(&mine, 1);  // first
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(count, mine);
    __syncthreads();
    if (kept) y[base + place] = x[i];
}
