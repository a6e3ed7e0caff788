// Threads take tasks from a counter until none is left; the test for the end comes too late.
// launch: grid 2 block 16 int[50] int[50]=empty int[1]=zero 50
// expect: out_of_bounds x[50] thread (0,0,0)
__global__ void work(const int* x, int* y, int* next, int n) {
    for (;;) {
        int task = atomicAdd(next, 1);
#ifdef REPAIRED
        if (task >= n) break;
#else
        if (task > n) break;
#endif
        y[task] = x[task] + 1;  // first
    }
}
