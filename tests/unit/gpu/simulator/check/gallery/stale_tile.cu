// The next tile is loaded while others still use this one: the second barrier is missing.
// launch: grid 1 block 64 float[256] float[64]=empty 4
// expect: race tile[31] thread (32,0,0) against thread (31,0,0)
__global__ void column_sums(const float* x, float* y, int tiles) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < tiles; ++k) {
        tile[t] = x[k * 64 + t];  // second
        __syncthreads();
        sum += tile[63 - t];  // first
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    y[t] = sum;
}
