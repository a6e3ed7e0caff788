// CUDA's own example of an atomic sum by compare-and-swap reads the old value by a plain read; to look at the sum meanwhile is still wrong.
// launch: grid 2 block 32 unsigned[2]=zero unsigned[64]=empty
// expect: race bits[1] thread (1,0,0) against thread (0,0,0)
__global__ void sum(unsigned* bits, unsigned* seen) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long* address = (unsigned long long*)bits;
    unsigned long long old = *address, assumed;
    do {
        assumed = old;
        old = atomicCAS(address, assumed, __double_as_longlong(1.0 + __longlong_as_double(assumed)));  // first
    } while (assumed != old);
#ifdef REPAIRED
    seen[i] = i;
#else
    seen[i] = bits[1] > 7;  // second
#endif
}
