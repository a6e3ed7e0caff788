// The result has room for ten elements: which of them stay depends on who comes first.
// launch: grid 2 block 32 int[64] int[10]=zero int[1]=zero
// repaired launch: grid 2 block 32 int[64] int[64]=zero int[1]=zero
// expect: schedule_dependence y[0]
__global__ void keep(const int* x, int* y, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int place = x[i] % 2 ? atomicAdd(count, 1) : -1;
#ifdef REPAIRED
    if (place >= 0) y[place] = x[i];
#else
    if (place >= 0 && place < 10) y[place] = x[i];
#endif
}
