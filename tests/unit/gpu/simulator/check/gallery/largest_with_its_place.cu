// The largest value is found by an atomic operation, and its place is stored without one.
// launch: grid 1 block 32 int[32] int[1]=zero int[1]=zero
// expect: race place[0] thread (2,0,0) against thread (1,0,0)
__global__ void largest(const int* x, int* most, int* place) {
    int t = threadIdx.x;
#ifdef REPAIRED
    atomicMax(most, x[t]);
    __syncthreads();
    if (atomicMax(most, 0) == x[t]) *place = t;
#else
    if (atomicMax(most, x[t]) < x[t]) *place = t;  // first second
#endif
}
