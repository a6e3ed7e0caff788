// Gaussian elimination in shared memory: the pivot's column is changed while others read it.
// launch: grid 1 block 4x4 float[16] float[16]=empty
// expect: race a[4] thread (1,1,0) against thread (0,1,0)
__global__ void eliminate(const float* x, float* y) {
    __shared__ float a[16];
    const int i = threadIdx.y, j = threadIdx.x;
    a[4 * i + j] = x[4 * i + j] + (i == j ? 50 : 0);
    __syncthreads();
    for (int p = 0; p < 3; ++p) {
        const float factor = a[4 * i + p] / a[4 * p + p];  // first
#ifdef REPAIRED
        __syncthreads();
#endif
        if (i > p) a[4 * i + j] -= factor * a[4 * p + j];  // second
        __syncthreads();
    }
    y[4 * i + j] = a[4 * i + j];
}
