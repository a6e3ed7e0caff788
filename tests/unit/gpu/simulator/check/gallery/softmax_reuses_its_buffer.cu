// Softmax: the buffer of the maximum is filled with exponentials while others still read it.
// launch: grid 1 block 32 float[32] float[32]=empty
// expect: race buffer[0] thread (1,0,0) against thread (0,0,0)
__device__ float combined(float* buffer, int t, bool largest) {
    for (int step = 16; step > 0; step /= 2) {
        __syncthreads();
        if (t < step) buffer[t] = largest ? fmaxf(buffer[t], buffer[t + step]) : buffer[t] + buffer[t + step];
    }
    __syncthreads();
    return buffer[0];  // first
}
__global__ void softmax(const float* x, float* y) {
    __shared__ float buffer[32];
    const int t = threadIdx.x;
    buffer[t] = x[t];
    const float most = combined(buffer, t, true), e = expf(x[t] - most);
#ifdef REPAIRED
    __syncthreads();
#endif
    buffer[t] = e;  // second
    y[t] = e / combined(buffer, t, false);
}
