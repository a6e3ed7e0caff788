// Each block adds to the sum of the blocks before it and says so by an atomic operation.
// launch: grid 4 block 32 int[128] int[4]=zero int[4]=zero
// expect: race sums[0] block (1,0,0) thread (0,0,0) against thread (0,0,0)
// says: __threadfence()
__global__ void scan(const int* x, int* sums, int* ready) {
    if (threadIdx.x != 0) return;
    int sum = 0, b = blockIdx.x;
    for (int k = 0; k < 32; ++k) sum += x[32 * b + k];
#ifdef REPAIRED
    sums[b] = sum;
#else
    if (b > 0 && atomicAdd(&ready[b - 1], 0) == 1) sum += sums[b - 1];  // first
    sums[b] = sum;                                                      // second
    atomicExch(&ready[b], 1);
#endif
}
