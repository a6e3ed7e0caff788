// 100 / 32 blocks: the last four elements are nobody's.
// launch: grid 3 block 32 float[100] float[100]=empty 100
// repaired launch: grid 4 block 32 float[100] float[100]=empty 100
// expect: untouched_elements y[96]
__global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
