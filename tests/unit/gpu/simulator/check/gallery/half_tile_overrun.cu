// A tile of halves with room for 16, filled by 32 threads.
// launch: grid 1 block 32 float[32] float[32]=empty
// expect: out_of_bounds tile[16] thread (16,0,0)
#include <cuda_fp16.h>
__global__ void through_half(const float* x, float* y) {
#ifdef REPAIRED
    __shared__ half tile[32];
#else
    __shared__ half tile[16];
#endif
    tile[threadIdx.x] = __float2half(x[threadIdx.x]);  // first
    __syncthreads();
    y[threadIdx.x] = __half2float(tile[threadIdx.x]);
}
