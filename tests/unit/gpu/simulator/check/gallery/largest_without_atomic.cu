// All threads compare with one element and replace it.
// launch: grid 4 block 64 int[256] int[1]=zero
// expect: race out[0] thread (1,0,0) against thread (0,0,0)
// says: use atomicMax or atomicMin(&out[...], ...)
__global__ void largest(const int* x, int* out) {
    int value = x[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef REPAIRED
    atomicMax(out, value);
#else
    if (value > *out) *out = value;  // first second
#endif
}
