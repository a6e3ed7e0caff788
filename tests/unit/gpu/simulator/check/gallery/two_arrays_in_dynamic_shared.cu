// The second array of the dynamic shared memory begins inside of the first one.
// launch: grid 1 block 32 shared 256 float[32] float[32]=empty
// expect: race memory[16] thread (16,0,0) against thread (0,0,0)
__global__ void scaled(const float* x, float* y) {
    extern __shared__ float memory[];
#ifdef REPAIRED
    float *values = memory, *factors = memory + blockDim.x;
#else
    float *values = memory, *factors = memory + blockDim.x / 2;
#endif
    const int t = threadIdx.x;
    values[t] = x[t];  // first
    factors[t] = 2;    // second
    __syncthreads();
    y[t] = values[31 - t] * factors[31 - t];
}
