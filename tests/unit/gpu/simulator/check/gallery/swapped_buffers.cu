// Result and input changed places in the launch.
// launch: grid 2 block 32 float[64]=empty float[64] 64
// repaired launch: grid 2 block 32 float[64] float[64]=empty 64
// expect: uninitialised_read in[0] thread (0,0,0)
// says: are the two buffers swapped in the launch?
__global__ void halves(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] / 2;  // first
}
