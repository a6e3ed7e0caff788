// The CUDA kernel's own assertion does not hold.
// launch: grid 1 block 32 float[32] float[32]=empty
// expect: assertion thread (5,0,0)
#include <assert.h>
__global__ void root(const float* x, float* y) {
    int t = threadIdx.x;
#ifdef REPAIRED
    assert(x[t] >= 0);
#else
    assert(x[t] < 5);  // first
#endif
    y[t] = sqrtf(x[t]);
}
