// A class hands out dynamic shared memory; the index reaches one element past its end.
// launch: grid 1 block 32 shared 128 float[32] float[32]=empty
// expect: out_of_bounds memory[32] thread (31,0,0)
template <class T>
struct SharedMemory {
    __device__ static T* begin() {
        extern __shared__ T memory[];
        return memory;
    }
};
__global__ void differences(const float* x, float* y) {
    float* tile = SharedMemory<float>::begin();
    const int t = threadIdx.x;
    tile[t] = x[t];
    __syncthreads();
#ifdef REPAIRED
    y[t] = t < 31 ? tile[t + 1] - tile[t] : 0;
#else
    y[t] = tile[t + 1] - tile[t];  // first
#endif
}
