// Each block reads what the block after it writes.
// launch: grid 4 block 32 float[129] float[128]=empty
// expect: race x[1] thread (1,0,0) against thread (0,0,0)
__global__ void differences(float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i + 1] - x[i];  // second
#ifndef REPAIRED
    x[i] = 0;  // first
#endif
}
