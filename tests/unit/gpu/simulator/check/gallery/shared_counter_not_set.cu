// One thread sets a counter to zero and others count already.
// launch: grid 1 block 64 int[64] int[1]=empty
// expect: race found[0] thread (2,0,0) against thread (0,0,0)
__global__ void count(const int* x, int* y) {
    __shared__ int found;
    int t = threadIdx.x;
    if (t == 0) found = 0;  // second
#ifdef REPAIRED
    __syncthreads();
#endif
    if (x[t] % 2 == 0) atomicAdd(&found, 1);  // first
    __syncthreads();
    if (t == 0) y[0] = found;
}
