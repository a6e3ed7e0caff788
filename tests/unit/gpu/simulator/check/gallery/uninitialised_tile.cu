// The last threads of the last block have nothing to load, and others read what they did not store.
// launch: grid 2 block 64 float[100] float[2]=empty 100
// expect: uninitialised_read tile[36] block (1,0,0) thread (0,0,0)
__global__ void block_sums(const float* x, float* y, int n) {
    __shared__ float tile[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
#ifdef REPAIRED
    tile[t] = i < n ? x[i] : 0;
#else
    if (i < n) tile[t] = x[i];
#endif
    __syncthreads();
    if (t == 0) {
        float sum = 0;
        for (int k = 0; k < 64; ++k) sum += tile[k];  // first
        y[blockIdx.x] = sum;
    }
}
