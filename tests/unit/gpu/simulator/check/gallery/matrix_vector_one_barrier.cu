// Matrix times vector by chunks: the next chunk is loaded while others still use this one.
// launch: grid 1 block 16 float[256] float[32] float[16]=empty 32
// expect: race chunk[0] thread (1,0,0) against thread (0,0,0)
__global__ void multiply(const float* a, const float* x, float* y, int n) {
    __shared__ float chunk[16];
    const int t = threadIdx.x;
    float sum = 0;
    for (int begin = 0; begin < n; begin += 16) {
        chunk[t] = x[begin + t];  // second
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += a[16 * t + k] * chunk[k];  // first
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    y[t] = sum;
}
