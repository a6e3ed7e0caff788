// The first thread reads the element before the first one.
// launch: grid 1 block 64 float[64] float[64]=empty
// expect: out_of_bounds x[-1] thread (0,0,0)
__global__ void smooth(const float* x, float* y) {
    int i = threadIdx.x;
#ifdef REPAIRED
    float left = i > 0 ? x[i - 1] : 0;
#else
    float left = x[i - 1];  // first
#endif
    y[i] = (left + x[i]) / 2;
}
