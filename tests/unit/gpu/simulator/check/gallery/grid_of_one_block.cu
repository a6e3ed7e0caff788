// One block for more elements than it has threads.
// launch: grid 1 block 32 float[100]=empty 100
// repaired launch: grid 4 block 32 float[100]=empty 100
// expect: untouched_elements y[32]
__global__ void fill(float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 1;
}
