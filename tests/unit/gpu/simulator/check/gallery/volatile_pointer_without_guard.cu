// A CUDA kernel named f that writes through a volatile pointer, without a guard for the last block.
// launch: grid 2 block 32 float[40]=empty 40
// expect: out_of_bounds y[40] block (1,0,0) thread (8,0,0)
__global__ void f(volatile float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    if (i < n) y[i] = i;
#else
    y[i] = i;  // first
#endif
}
