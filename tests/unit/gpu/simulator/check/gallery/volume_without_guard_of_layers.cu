// A stencil in three dimensions guards rows and columns, but not the layers.
// launch: grid 1x1x2 block 4x4x4 float[112] float[112]=zero 4 7
// expect: out_of_bounds y[112] block (0,0,1) thread (0,0,3)
__global__ void copy(const float* x, float* y, int n, int layers) {
    const int i = threadIdx.x, j = threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z;
    const int at = (k * n + j) * n + i;
#ifdef REPAIRED
    if (i < n && j < n && k < layers) y[at] = x[at];
#else
    if (i < n && j < n) y[at] = k < layers ? x[at] : 0;  // first
#endif
}
