// Steps of a tree follow each other without a barrier.
// launch: grid 1 block 128 float[128] float[1]=empty
// expect: race tile[1] thread (1,0,0) against thread (0,0,0)
__global__ void sum(const float* x, float* y) {
    __shared__ float tile[128];
    int t = threadIdx.x;
    tile[t] = x[t];
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step) tile[t] += tile[t + step];  // first second
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    if (t == 0) y[0] = tile[0];
}
