// A struct carries a pointer of the host to the device.
// launch: grid 1 block 32 host_struct float[32] float[32]=empty
// expect: host_pointer thread (0,0,0)
struct Numbers {
    const float* first;
    int count;
};
__global__ void twice(Numbers numbers, const float* x, float* y) {
    int i = threadIdx.x;
#ifdef REPAIRED
    if (i < numbers.count) y[i] = 2 * x[i];
#else
    if (i < numbers.count) y[i] = 2 * numbers.first[i];  // first
#endif
}
