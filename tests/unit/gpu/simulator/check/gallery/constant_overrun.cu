// A filter of 3x3 coefficients, read as if it were 5x5.
// launch: grid 1 block 32 float[32] float[32]=empty 5
// repaired launch: grid 1 block 32 float[32] float[32]=empty 3
// constant: coefficients float[9]
// expect: out_of_bounds coefficients[9] thread (0,0,0)
__constant__ float coefficients[9];
__global__ void weigh(const float* x, float* y, int size) {
    int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < size * size; ++k) sum += coefficients[k] * x[t];  // first
    y[t] = sum;
}
