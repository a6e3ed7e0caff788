// Constant memory is the host's to write.
// launch: grid 1 block 9 float[9]=empty
// constant: coefficients float[9]
// expect: trap thread (4,0,0)
// says: coefficients is __constant__: a CUDA kernel can read it, and not write it
__constant__ float coefficients[9];
__global__ void copy(float* y) {
    int i = threadIdx.x;
#ifdef REPAIRED
    y[i] = i == 4 ? 0 : coefficients[i];
#else
    if (i == 4) coefficients[i] = 0;  // first
    y[i] = coefficients[i];
#endif
}
