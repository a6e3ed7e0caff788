// Each block needs a value that the next one changes.
// launch: grid 2 block 32 float[65] float[65]=zero 65
// expect: race x[32] block (1,0,0) thread (0,0,0) against thread (31,0,0)
__global__ void shift(float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 >= n) return;
#ifdef REPAIRED
    y[i] = x[i + 1];
#else
    float next = x[i + 1];  // second
    __syncthreads();
    x[i] = next;  // first
#endif
}
