// A block of 20 threads has lanes 0 to 19, and lane 4 asks lane 20.
// launch: grid 1 block 20 int[20] int[1]=empty
// repaired launch: grid 1 block 32 int[32] int[1]=empty
// expect: warp_mask thread (4,0,0)
// says: asks a lane that does not exist
__global__ void sum(const int* x, int* y) {
    int value = x[threadIdx.x];
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);  // first
    if (threadIdx.x == 0) y[0] = value;
}
