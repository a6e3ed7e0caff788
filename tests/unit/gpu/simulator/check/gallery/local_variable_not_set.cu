// A counter that nobody has set to zero; thread 0 never counts.
// launch: grid 2 block 32 int[64] int[64]=empty 64
// compiler: clang
// expect: uninitialised_read thread (1,0,0)
__global__ void count_smaller(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    int count = 0;
#else
    int count;
#endif
    for (int k = 0; k < n; ++k)
        if (x[k] < x[i]) count += 1;  // first
    y[i] = count;
}
