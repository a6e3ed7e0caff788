// The tile is read across before all threads have filled it.
// launch: grid 2x2 block 16x16 float[1024] float[1024]=empty 32
// expect: race tile[16] thread (0,1,0) against thread (1,0,0)
__global__ void transpose(const float* x, float* y, int n) {
    __shared__ float tile[16][16];
    int c = threadIdx.x, r = threadIdx.y;
    tile[r][c] = x[(blockIdx.y * 16 + r) * n + blockIdx.x * 16 + c];  // first
#ifdef REPAIRED
    __syncthreads();
#endif
    y[(blockIdx.x * 16 + r) * n + blockIdx.y * 16 + c] = tile[c][r];  // second
}
