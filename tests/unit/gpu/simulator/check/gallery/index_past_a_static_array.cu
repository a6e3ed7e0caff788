// The same with a table of this file only.
// launch: grid 1 block 32 int[32]
// expect: out_of_bounds sums[16] thread (16,0,0)
static __device__ int sums[16];
static __device__ int highest;
__global__ void add(const int* x) {
    atomicMax(&highest, x[threadIdx.x]);
#ifdef REPAIRED
    atomicAdd(&sums[threadIdx.x % 16], x[threadIdx.x]);
#else
    atomicAdd(&sums[threadIdx.x], x[threadIdx.x]);  // first
#endif
}
