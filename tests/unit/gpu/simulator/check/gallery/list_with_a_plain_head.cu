// A list is linked by a head that is read and written without an atomic operation.
// launch: grid 1 block 32 int[1]=zero int[32]=empty
// expect: race head[0] thread (1,0,0) against thread (0,0,0)
__global__ void link(int* head, int* next) {
    int t = threadIdx.x;
#ifdef REPAIRED
    if (t == 0)
        for (int k = 0; k < 32; ++k) {
            next[k] = *head;
            *head = k + 1;
        }
#else
    next[t] = *head;  // first
    *head = t + 1;    // second
#endif
}
