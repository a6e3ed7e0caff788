// Sparse matrix times vector: n rows need n + 1 beginnings, the array has n.
// launch: grid 1 block 8 int[8] float[8] float[8]=empty 8
// repaired launch: grid 1 block 8 int[9] float[8] float[8]=empty 8
// expect: out_of_bounds first[8] thread (7,0,0)
__global__ void multiply(const int* first, const float* x, float* y, int n) {
    const int row = threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int k = first[row]; k < first[row + 1]; ++k) sum += x[k];  // first
    y[row] = sum;
}
