// Lanes that have returned have no value to give.
// launch: grid 1 block 32 int[20] int[20]=empty 20
// expect: warp_mask thread (19,0,0)
// says: asks a lane that has returned
__global__ void pass_on(const int* x, int* y, int n) {
    int t = threadIdx.x;
#ifdef REPAIRED
    int value = t < n ? x[t] : 0;
    int next = __shfl_down_sync(0xffffffff, value, 1);
    if (t < n) y[t] = next;
#else
    if (t >= n) return;
    int value = x[t];
    y[t] = __shfl_down_sync(0xffffffff, value, 1);  // first
#endif
}
