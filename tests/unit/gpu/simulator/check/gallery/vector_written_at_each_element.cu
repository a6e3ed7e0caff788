// Vectors of two are written one element apart instead of two.
// launch: grid 1 block 16 float[32] float[32]=zero
// expect: trap y[1] thread (1,0,0)
// says: 8 bytes at byte 4
__global__ void copy(const float* x, float* y) {
    int t = threadIdx.x;
    float2 v = reinterpret_cast<const float2*>(x)[t];
#ifdef REPAIRED
    *(float2*)(y + 2 * t) = v;
#else
    *(float2*)(y + t) = v;  // first
#endif
}
