// The guard lets nobody through but those who have no element.
// launch: grid 4 block 32 float[128] float[128]=zero 128
// expect: untouched_elements y[0]
// says: Is the guard the wrong way round?
__global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    if (i >= n) return;
#else
    if (i <= n) return;
#endif
    y[i] = 2 * x[i];  // first
}
