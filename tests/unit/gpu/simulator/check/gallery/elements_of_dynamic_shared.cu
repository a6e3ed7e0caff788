// The launch counts shared memory in bytes, and was given elements.
// launch: grid 1 block 64 shared 64 float[64] float[64]=empty
// repaired launch: grid 1 block 64 shared 256 float[64] float[64]=empty
// expect: out_of_bounds s[16] thread (16,0,0)
// says: elements instead of bytes? It wants n * sizeof(element)
__global__ void reverse(const float* x, float* y) {
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];  // first
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x];
}
