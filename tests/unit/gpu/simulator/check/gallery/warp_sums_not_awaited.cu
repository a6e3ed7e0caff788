// The sums of the warps are read before other warps have stored theirs.
// launch: grid 1 block 128 float[128] float[1]=empty
// expect: race sums[1] thread (32,0,0) against thread (0,0,0)
__global__ void sum(const float* x, float* y) {
    __shared__ float sums[4];
    int t = threadIdx.x;
    float v = x[t];
    for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(0xffffffff, v, step);
    if (t % 32 == 0) sums[t / 32] = v;  // first
#ifdef REPAIRED
    __syncthreads();
#endif
    if (t == 0) *y = sums[0] + sums[1] + sums[2] + sums[3];  // second
}
