// Every thread stores its own answer in the same place.
// launch: grid 1 block 32 int[32] int[1]=empty
// expect: race y[0] thread (1,0,0) against thread (0,0,0)
__global__ void last(const int* x, int* y) {
#ifdef REPAIRED
    if (threadIdx.x == 0) y[0] = x[0];
#else
    y[0] = x[threadIdx.x];  // first second
#endif
}
