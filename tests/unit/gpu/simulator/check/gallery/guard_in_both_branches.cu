// The same access in both branches, and a guard in none of them.
// launch: grid 1 block 32 float[30] float[30]=zero 30
// expect: out_of_bounds x[30] thread (30,0,0)
// compiler: clang
__global__ void scale(const float* x, float* y, int n) {
    int i = threadIdx.x;
#ifdef REPAIRED
    if (i >= n) return;
#endif
    if (n < 100)
        y[i] = x[i] * 2;  // first
    else
        y[i] = x[i] * 3;
}
