// A template of doubles gets dynamic shared memory for as many floats.
// launch: grid 1 block 32 shared 128 float[32] float[32]=empty
// repaired launch: grid 1 block 32 shared 256 float[32] float[32]=empty
// entry: reversed<double>
// expect: out_of_bounds bytes[128] thread (16,0,0)
template <class T>
__global__ void reversed(const float* x, float* y) {
    extern __shared__ __align__(16) unsigned char bytes[];
    T* tile = (T*)bytes;
    const int t = threadIdx.x;
    tile[t] = x[t];  // first
    __syncthreads();
    y[t] = tile[blockDim.x - 1 - t];
}
