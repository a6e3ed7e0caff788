// A stencil writes its result over the values that its neighbours still read.
// launch: grid 1 block 64 float[66]
// expect: race x[1] thread (1,0,0) against thread (0,0,0)
__global__ void smooth(float* x) {
    int i = threadIdx.x + 1;
#ifdef REPAIRED
    float mean = (x[i - 1] + x[i] + x[i + 1]) / 3;
    __syncthreads();
    x[i] = mean;
#else
    x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;  // first second
#endif
}
