// A local pointer that nothing has set.
// launch: grid 1 block 32 int[32]=empty
// compiler: clang
// expect: uninitialised_read thread (0,0,0)
// says: the local variable p is read, but nothing has set it
__global__ void squares(int* y) {
    int i = threadIdx.x;
#ifdef REPAIRED
    int* p = y;
#else
    int* p;
#endif
    p[i] = i * i;  // first
}
