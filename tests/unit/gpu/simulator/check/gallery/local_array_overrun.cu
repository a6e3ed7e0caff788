// Five loads into an array of four.
// launch: grid 1 block 32 float[160] float[32]=empty
// expect: out_of_bounds window[4] thread (0,0,0)
__global__ void sum_of_window(const float* x, float* y) {
    int i = threadIdx.x;
#ifdef REPAIRED
    float window[5];
#else
    float window[4];
#endif
    for (int k = 0; k < 5; ++k) window[k] = x[5 * i + k];  // first
    y[i] = window[0] + window[1] + window[2] + window[3];
}
