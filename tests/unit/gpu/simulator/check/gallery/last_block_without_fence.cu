// The last block adds up what the others left, without a fence before the ticket.
// launch: grid 4 block 32 float[128] float[4]=empty unsigned[1]=zero float[1]=empty
// expect: race partial[0] block (3,0,0) thread (0,0,0) against thread (0,0,0)
__global__ void sum(const float* x, float* partial, unsigned* tickets, float* y) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        float total = 0;
        for (int k = 0; k < 32; ++k) total += x[blockIdx.x * 32 + k];
        partial[blockIdx.x] = total;  // second
#ifdef REPAIRED
        __threadfence();
#endif
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0;
        for (int k = 0; k < gridDim.x; ++k) total += partial[k];  // first
        y[0] = total;
    }
}
