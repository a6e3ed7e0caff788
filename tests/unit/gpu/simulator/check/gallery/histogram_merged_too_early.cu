// The block's histogram is added to the result before all threads have counted.
// launch: grid 2 block 64 int[128] int[16]=zero
// expect: race bins[0] thread (16,0,0) against thread (0,0,0)
__global__ void histogram(const int* x, int* y) {
    __shared__ int bins[16];
    const int t = threadIdx.x;
    if (t < 16) bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[x[blockIdx.x * blockDim.x + t] % 16], 1);  // first
#ifdef REPAIRED
    __syncthreads();
#endif
    if (t < 16) atomicAdd(&y[t], bins[t]);  // second
}
