// A number is taken for an address.
// launch: grid 1 block 32 int[32]=empty 64
// expect: host_pointer thread (0,0,0)
// says: an address outside every buffer is followed
__global__ void squares(int* y, int n) {
    int i = threadIdx.x;
#ifdef REPAIRED
    int* p = y;
#else
    int* p = (int*)0x12340000;
#endif
    if (i < n) p[i] = i * i;  // first
}
