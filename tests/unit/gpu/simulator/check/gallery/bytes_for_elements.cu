// The size that is passed counts bytes.
// launch: grid 1 block 64 float[256] float[256]=empty 1024
// repaired launch: grid 1 block 64 float[256] float[256]=empty 256
// expect: out_of_bounds x[256] thread (0,0,0)
__global__ void twice(const float* x, float* y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = 2 * x[i];  // first
}
