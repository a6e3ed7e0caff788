// The loop waits for a value that it steps over.
// launch: grid 1 block 32 int[32]=empty 64
// stop after: 0.3
// expect: no_progress thread (0,0,0)
__global__ void steps(int* y, int n) {
    int count = 0;
#ifdef REPAIRED
    for (int k = n; k > 3; k /= 2) ++count;
#else
    for (int k = n; k != 3; k /= 2) ++count;  // first
#endif
    y[threadIdx.x] = count;
}
