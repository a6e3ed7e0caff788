// Threads use an object of shared memory that thread 0 constructs only afterwards.
// launch: grid 1 block 32 float[32] float[32]=empty
// expect: uninitialised_read block (0,0,0)
struct Scale {
    float factor;
    __device__ Scale(float f) : factor(f) {}
};
__global__ void scaled(const float* x, float* y) {
    __shared__ __align__(8) unsigned char place[sizeof(Scale)];
    Scale* scale = (Scale*)place;
#ifdef REPAIRED
    if (threadIdx.x == 0) new (place) Scale(3);
    __syncthreads();
    y[threadIdx.x] = x[threadIdx.x] * scale->factor;
#else
    y[threadIdx.x] = x[threadIdx.x] * scale->factor;  // first
    __syncthreads();
    if (threadIdx.x == 0) new (place) Scale(3);
#endif
}
