// Three of four partial sums begin with 0.
// launch: grid 1 block 32 float[128] float[32]=empty
// expect: uninitialised_read y[0] thread (0,0,0)
__global__ void partial_sums(const float* x, float* y) {
    int i = threadIdx.x;
#ifdef REPAIRED
    float sums[4] = {};
#else
    float sums[4];
    for (int k = 0; k < 3; ++k) sums[k] = 0;
#endif
    for (int k = 0; k < 4; ++k) sums[k] += x[4 * i + k];
    y[i] = sums[0] + sums[1] + sums[2] + sums[3];  // first
}
