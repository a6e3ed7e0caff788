// The tile was made for blocks of 8x8, the launch has 16x16.
// launch: grid 1x1 block 16x16 float[256] float[256]=empty 16
// repaired launch: grid 2x2 block 8x8 float[256] float[256]=empty 16
// expect: race tile[8] thread (0,1,0) against thread (8,0,0)
__global__ void transpose(const float* x, float* y, int n) {
    __shared__ float tile[8][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = x[(blockIdx.y * blockDim.y + ty) * n + blockIdx.x * blockDim.x + tx];  // first second
    __syncthreads();
    y[(blockIdx.x * blockDim.x + ty) * n + blockIdx.y * blockDim.y + tx] = tile[tx][ty];
}
