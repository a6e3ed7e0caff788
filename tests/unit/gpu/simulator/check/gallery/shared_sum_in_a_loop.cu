// A sum in shared memory that nothing has set to zero.
// launch: grid 1 block 32 float[10] float[32]=empty 10
// expect: uninitialised_read sums[0] thread (0,0,0)
__global__ void repeat(const float* x, float* y, int n) {
    __shared__ float sums[32];
    int t = threadIdx.x;
#ifdef REPAIRED
    sums[t] = 0;
#endif
    for (int j = 0; j < n; ++j) {
        sums[t] += x[j];  // first
    }
    y[t] = sums[t];
}
