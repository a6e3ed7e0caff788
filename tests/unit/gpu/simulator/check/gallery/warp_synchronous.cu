// Code of the time when lanes of a warp went in step: no __syncwarp() between steps.
// launch: grid 1 block 32 float[32] float[1]=empty
// expect: race tile[1] thread (1,0,0) against thread (0,0,0)
__global__ void warp_sum(const float* x, float* y) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = x[t];
    tile[t + 32] = 0;
    __syncwarp();
    for (int step = 16; step > 0; step /= 2) {
        float other = tile[t + step];  // second
#ifdef REPAIRED
        __syncwarp();
#endif
        tile[t] += other;  // first
#ifdef REPAIRED
        __syncwarp();
#endif
    }
    if (t == 0) y[0] = tile[0];
}
