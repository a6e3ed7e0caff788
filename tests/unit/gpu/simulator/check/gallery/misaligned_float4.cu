// Four numbers at once, from every address: only each fourth one is divisible by 16.
// launch: grid 1 block 8 float[16] float[8]=empty
// expect: trap x[1] thread (1,0,0)
// says: 16 bytes at byte 4
__global__ void sums_of_four(const float* x, float* y) {
    int t = threadIdx.x;
#ifdef REPAIRED
    float4 v = make_float4(x[t], x[t + 1], x[t + 2], x[t + 3]);
#else
    float4 v = *(const float4*)(x + t);  // first
#endif
    y[t] = v.x + v.y + v.z + v.w;
}
