// A thread that calls the operation is not in its own mask.
// launch: grid 1 block 32 int[32] int[1]=empty
// expect: warp_mask thread (16,0,0)
__global__ void any_negative(const int* x, int* y) {
    int t = threadIdx.x;
#ifdef REPAIRED
    unsigned votes = __ballot_sync(0xffffffff, x[t] < 0);
#else
    unsigned votes = __ballot_sync(0x0000ffff, x[t] < 0);  // first
#endif
    if (t == 0) y[0] = votes != 0;
}
