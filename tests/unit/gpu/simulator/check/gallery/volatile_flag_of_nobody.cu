// Nobody sets the flag that all blocks wait for.
// launch: grid 2 block 32 int[2]=zero int[2]=empty
// expect: no_progress
__global__ void wait_for(volatile int* ready, int* y) {
    if (threadIdx.x != 0) return;
#ifdef REPAIRED
    ready[blockIdx.x] = 1;
#endif
    while (ready[blockIdx.x] == 0) {  // first
    }
    y[blockIdx.x] = 1;
}
