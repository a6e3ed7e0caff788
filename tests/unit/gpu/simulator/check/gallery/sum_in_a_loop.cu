// Both blocks add to the same elements, again and again.
// launch: grid 2 block 8 float[64] float[8] float[8]=zero 8
// expect: race c[0] block (1,0,0) thread (0,0,0) against thread (0,0,0)
__global__ void product(const float* a, const float* v, float* c, int n) {
    int row = threadIdx.x;
    for (int j = 0; j < n; ++j)
#ifdef REPAIRED
        atomicAdd(&c[row], a[row * n + j] * v[j]);
#else
        c[row] += a[row * n + j] * v[j];  // first second
#endif
}
