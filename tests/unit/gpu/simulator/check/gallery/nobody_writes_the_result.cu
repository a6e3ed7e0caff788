// The threads of a block are counted from 0: there is none whose number is blockDim.x.
// launch: grid 1 block 32 float[32] float[1]=empty
// expect: untouched_elements total[0]
// says: Threads read, and none comes to a line that writes
__global__ void sum(const float* x, float* total) {
    float value = x[threadIdx.x];
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffff, value, step);
#ifdef REPAIRED
    if (threadIdx.x == blockDim.x - 1) total[0] = value;
#else
    if (threadIdx.x == blockDim.x) total[0] = value;  // first
#endif
}
