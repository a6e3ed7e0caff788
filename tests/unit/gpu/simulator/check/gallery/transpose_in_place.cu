// Both threads of a pair swap its two elements.
// launch: grid 1 block 8x8 float[64] 8
// expect: race x[1] thread (0,1,0) against thread (1,0,0)
__global__ void transpose(float* x, int n) {
    int c = threadIdx.x, r = threadIdx.y;
#ifdef REPAIRED
    if (c <= r) return;
#endif
    float a = x[r * n + c], b = x[c * n + r];  // first
    x[r * n + c] = b;                          // second
    x[c * n + r] = a;
}
