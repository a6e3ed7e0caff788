// Only one of the two branches gives the variable a value: the threads that take the other are named.
// launch: grid 2 block 32 int[64] int[64]=empty
// compiler: clang
// expect: uninitialised_read thread (3,0,0)
__global__ void clamp(const int* x, int* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value;
    if (x[i] < 3) value = x[i];
#ifdef REPAIRED
    else
        value = 3;
#endif
    y[i] = value;  // first
}
