// Two numbers at once, from an address that is not divisible by eight.
// launch: grid 1 block 8 float[17] float[16]=empty 1
// expect: trap x[1] thread (0,0,0)
__global__ void copy(const float* x, float* y, int from) {
    int t = threadIdx.x;
#ifdef REPAIRED
    for (int k = 0; k < 2; ++k) y[2 * t + k] = x[2 * t + from + k];
#else
    double two = *reinterpret_cast<const double*>(x + 2 * t + from);  // first
    *reinterpret_cast<double*>(y + 2 * t) = two;
#endif
}
