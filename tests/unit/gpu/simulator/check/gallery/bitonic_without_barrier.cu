// Bitonic sort: the barrier stands after the inner loop in place of inside of it.
// launch: grid 1 block 32 int[32] int[32]=empty
// expect: race keys[1] thread (1,0,0) against thread (0,0,0)
__global__ void sort(const int* x, int* y) {
    __shared__ int keys[32];
    const int t = threadIdx.x;
    keys[t] = x[31 - t];
    __syncthreads();
    for (int size = 2; size <= 32; size *= 2) {
        for (int step = size / 2; step > 0; step /= 2) {
            const int other = t ^ step;
            if (other > t) {
                const int a = keys[t], b = keys[other];                          // second
                if ((a > b) == ((t & size) == 0)) keys[t] = b, keys[other] = a;  // first
            }
#ifdef REPAIRED
            __syncthreads();
#endif
        }
#ifndef REPAIRED
        __syncthreads();
#endif
    }
    y[t] = keys[t];
}
