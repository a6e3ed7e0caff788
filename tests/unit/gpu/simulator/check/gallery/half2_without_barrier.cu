// Pairs of halves in shared memory are read before their thread has written them.
// launch: grid 1 block 32 float[64] float[32]=empty
// expect: race pairs[16] thread (16,0,0) against thread (15,0,0)
#include <cuda_fp16.h>
__global__ void mirrored_sums(const float* x, float* y) {
    __shared__ half2 pairs[32];
    const int t = threadIdx.x;
    pairs[t] = __floats2half2_rn(x[2 * t], x[2 * t + 1]);  // first
#ifdef REPAIRED
    __syncthreads();
#endif
    const half2 v = pairs[31 - t];  // second
    y[t] = __low2float(v) + __high2float(v);
}
