// Several threads set the flag, each to its own number.
// launch: grid 1 block 64 int[64] int[1]=zero
// expect: race found[0] thread (21,0,0) against thread (10,0,0)
__global__ void search(const int* x, int* found) {
    int t = threadIdx.x;
#ifdef REPAIRED
    if (x[t] % 11 == 10) *found = 1;
#else
    if (x[t] % 11 == 10) *found = t;  // first second
#endif
}
