// The largest value by a loop around atomicCAS is right; that one thread sets the first value by a plain write is not.
// launch: grid 2 block 32 float[64] float[1]=zero
// expect: race y[0] thread (1,0,0) against thread (0,0,0)
__global__ void largest(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int* bits = (int*)y;
#ifndef REPAIRED
    if (i == 0) y[0] = -1;  // second
#endif
    int old = *bits;  // first
    while (__int_as_float(old) < x[i]) {
        int assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(x[i]));
        if (old == assumed) break;
    }
}
