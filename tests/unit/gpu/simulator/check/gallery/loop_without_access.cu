// The compiler reads y[0] once, before the loop: nobody changes it in between.
// launch: grid 1 block 2 int[2]
// stop after: 0.3
// expect: no_progress thread (0,0,0)
__global__ void waits(int* y) {
#ifdef REPAIRED
    if (threadIdx.x == 0 && y[0] == 0) y[1] = 1;
#else
    while (y[0] == 0)  // first
        ;
#endif
}
