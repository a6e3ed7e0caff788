// The barrier between filling the tile and a loop that is unrolled is missing.
// launch: grid 1 block 64 float[64] float[64]=empty
// expect: race tile[1] thread (1,0,0) against thread (0,0,0)
// says: __syncthreads()
__global__ void sums(const float* x, float* y) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = x[t];  // first
#ifdef REPAIRED
    __syncthreads();
#endif
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 32; ++k) sum += tile[(t & 32) + k];  // second
    y[t] = sum;
}
