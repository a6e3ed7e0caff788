// The tile has room for one of the two halo cells.
// launch: grid 2 block 64 float[100] float[100]=empty 100
// expect: out_of_bounds tile[65] thread (63,0,0)
#ifdef REPAIRED
#define ROOM 66
#else
#define ROOM 65
#endif
__global__ void smooth(const float* x, float* y, int n) {
    __shared__ float tile[ROOM];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    tile[t + 1] = i < n ? x[i] : 0;
    if (t == 0) tile[0] = i > 0 ? x[i - 1] : 0;
    if (t == 63) tile[65] = i + 1 < n ? x[i + 1] : 0;  // first
    __syncthreads();
    if (i < n) y[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3;
}
