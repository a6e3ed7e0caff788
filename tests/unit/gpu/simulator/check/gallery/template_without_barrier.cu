// Dynamic shared memory in a template: no barrier between writing and reading.
// launch: grid 1 block 32 shared 128 int[32] int[32]=empty
// entry: rotated<5>
// expect: race tile[5] thread (5,0,0) against thread (0,0,0)
template <int by>
__global__ void rotated(const int* x, int* y) {
    extern __shared__ int tile[];
    const int t = threadIdx.x;
    tile[t] = x[t];  // first
#ifdef REPAIRED
    __syncthreads();
#endif
    y[t] = tile[(t + by) % blockDim.x];  // second
}
