// The number of elements is not divisible by four: the last vector reaches past the end.
// launch: grid 1 block 32 float[102] float[102]=empty 102
// expect: out_of_bounds x[102] thread (25,0,0)
__global__ void twice(const float* x, float* y, int n) {
    int i = 4 * threadIdx.x;
#ifdef REPAIRED
    if (i + 3 < n) {
#else
    if (i < n) {
#endif
        float4 v = *reinterpret_cast<const float4*>(x + i);  // first
        *reinterpret_cast<float4*>(y + i) = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
    } else {
        for (int k = i; k < n; ++k) y[k] = 2 * x[k];
    }
}
