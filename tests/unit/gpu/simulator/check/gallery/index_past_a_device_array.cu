// One counter too few: the last index leads to the variable that lies behind the array.
// launch: grid 1 block 9 int[9]
// expect: out_of_bounds counts[8] thread (8,0,0)
// says: counts has 8 elements
#ifdef REPAIRED
__device__ int counts[9];
#else
__device__ int counts[8];
#endif
__device__ int total;
__global__ void count(const int* x) {
    atomicAdd(&total, x[threadIdx.x]);
    counts[threadIdx.x] = x[threadIdx.x];  // first
}
