// A neighbour on either side is read, also where there is none.
// launch: grid 2 block 64 float[100] float[100]=empty 100
// expect: out_of_bounds x[-1] thread (0,0,0)
__global__ void smooth(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#ifdef REPAIRED
    float left = i > 0 ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
#else
    float left = x[i - 1], right = x[i + 1];  // first
#endif
    y[i] = (left + x[i] + right) / 3;
}
