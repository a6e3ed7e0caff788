// Threads count in a __device__ variable without an atomic operation.
// launch: grid 1 block 32 int[32] int[1]=empty
// expect: race even[0] thread (2,0,0) against thread (0,0,0)
__device__ int even;
__global__ void count(const int* x, int* y) {
#ifdef REPAIRED
    if (x[threadIdx.x] % 2 == 0) atomicAdd(&even, 1);
#else
    if (x[threadIdx.x] % 2 == 0) even++;  // first second
#endif
    __syncthreads();
    if (threadIdx.x == 0) y[0] = even;
}
