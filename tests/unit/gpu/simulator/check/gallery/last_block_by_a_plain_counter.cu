// The blocks count themselves without an atomic operation.
// launch: grid 4 block 32 int[1]=zero int[1]=zero
// expect: race done[0] block (1,0,0) thread (0,0,0) against thread (0,0,0)
__global__ void finish(int* done, int* y) {
    if (threadIdx.x != 0) return;
#ifdef REPAIRED
    if (atomicAdd(done, 1) == 3) *y = 1;
#else
    if (++*done == 4) *y = 1;  // first second
#endif
}
