// A step of Jacobi's iteration that writes into the values that its neighbours read.
// launch: grid 2 block 16 float[34] float[34]
// expect: race x[1] thread (1,0,0) against thread (0,0,0)
__global__ void smooth(float* x, float* next) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const float mean = 0.5f * (x[i - 1] + x[i + 1]);  // first
#ifdef REPAIRED
    next[i] = mean;
#else
    x[i] = mean;  // second
#endif
}
