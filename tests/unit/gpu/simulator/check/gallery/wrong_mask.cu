// The mask names the whole warp, half of it takes part.
// launch: grid 1 block 32 int[32] int[1]=empty
// expect: warp_mask thread (0,0,0)
__global__ void half_sum(const int* x, int* y) {
    int t = threadIdx.x, value = x[t];
    if (t < 16) {
#ifdef REPAIRED
        for (int step = 8; step > 0; step /= 2) value += __shfl_down_sync(0x0000ffff, value, step, 16);
#else
        for (int step = 8; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step, 16);  // first
#endif
        if (t == 0) y[0] = value;
    } else {
        __syncwarp(0xffff0000);
    }
    __syncthreads();
}
