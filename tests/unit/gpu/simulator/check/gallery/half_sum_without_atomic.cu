// All threads add to one half of global memory.
// launch: grid 1 block 32 float[32] float[1]=empty
// expect: race sum[0] thread (1,0,0) against thread (0,0,0)
#include <cuda_fp16.h>
__device__ half sum;
__global__ void total(const float* x, float* y) {
#ifdef REPAIRED
    atomicAdd(&sum, __float2half(x[threadIdx.x]));
#else
    sum = sum + __float2half(x[threadIdx.x]);  // first second
#endif
    __syncthreads();
    if (threadIdx.x == 0) y[0] = __half2float(sum);
}
