// A thread reads what others store in shared memory, with no barrier between.
// launch: grid 1 block 64 float[64] float[64]=empty
// expect: race tile[32] thread (32,0,0) against thread (31,0,0)
__global__ void reverse(const float* x, float* y) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = x[t];  // first
#ifdef REPAIRED
    __syncthreads();
#endif
    y[t] = tile[63 - t];  // second
}
