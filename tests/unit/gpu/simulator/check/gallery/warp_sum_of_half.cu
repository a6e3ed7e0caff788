// Half of the warp comes to a shuffle whose mask names all of it.
// launch: grid 1 block 32 float[32] float[1]=empty
// expect: warp_mask thread (8,0,0)
__global__ void sum(const float* x, float* y) {
    int t = threadIdx.x;
    float v = x[t];
    v += __shfl_down_sync(0xffffffff, v, 16);
    if (t < 16) {
#ifdef REPAIRED
        for (int step = 8; step > 0; step /= 2) v += __shfl_down_sync(0x0000ffff, v, step, 16);
#else
        for (int step = 8; step > 0; step /= 2) v += __shfl_down_sync(0xffffffff, v, step);  // first
#endif
    } else {
        __syncwarp(0xffff0000);
    }
    if (t == 0) *y = v;
}
