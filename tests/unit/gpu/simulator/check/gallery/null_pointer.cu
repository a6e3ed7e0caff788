// A pointer that was given no address is followed.
// launch: grid 2 block 32 int[64]=empty int[1]=empty
// expect: out_of_bounds block (1,0,0) thread (31,0,0)
// says: Let the pointer point into a buffer
__global__ void squares(int* y, int* largest) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    int* p = largest;
#else
    int* p = nullptr;
#endif
    y[i] = i * i;
    if (i == 63) *p = i * i;  // first
}
