// The lane that has the lock waits for those that do not get it.
// launch: grid 1 block 32 int[1]=zero int[1]=zero
// stop after: 0.3
// expect: no_progress
__global__ void count(int* lock, int* total) {
#ifdef REPAIRED
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            total[0] += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
#else
    while (atomicCAS(lock, 0, 1) != 0) {  // first
    }
    __syncwarp();
    total[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
#endif
}
