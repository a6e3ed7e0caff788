// Threads read the flag while others may still set it.
// launch: grid 1 block 64 int[64] int[64]=empty
// expect: race any[0] thread (10,0,0) against thread (0,0,0)
__global__ void search(const int* x, int* y) {
    __shared__ int any;
    int t = threadIdx.x;
    if (t == 0) any = 0;
    __syncthreads();
    if (x[t] == 10) any = 1;  // first
#ifdef REPAIRED
    __syncthreads();
#endif
    y[t] = any;  // second
}
