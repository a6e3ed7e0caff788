// The launch gives half of the dynamic shared memory that is used.
// launch: grid 1 block 64 shared 128 float[64] float[64]=empty
// repaired launch: grid 1 block 64 shared 256 float[64] float[64]=empty
// expect: out_of_bounds tile[32] thread (32,0,0)
extern __shared__ float tile[];
__global__ void reverse(const float* x, float* y) {
    int t = threadIdx.x;
    tile[t] = x[t];  // first
    __syncthreads();
    y[t] = tile[blockDim.x - 1 - t];
}
