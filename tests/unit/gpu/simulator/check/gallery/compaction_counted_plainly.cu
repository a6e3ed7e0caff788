// The counter that gives out places is incremented without an atomic operation.
// launch: grid 1 block 64 int[64] int[64]=zero int[1]=zero
// expect: race count[0] thread (3,0,0) against thread (0,0,0)
// says: atomicAdd
__global__ void keep(const int* x, int* y, int* count) {
    int t = threadIdx.x;
    if (x[t] % 3 != 0) return;
#ifdef REPAIRED
    int place = atomicAdd(count, 1);
#else
    int place = count[0]++;  // first second
#endif
    y[place] = x[t];
}
