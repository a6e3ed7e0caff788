// A block waits for the flag of another one, which sets it without a fence after the value.
// launch: grid 2 block 32 float[1]=zero int[1]=zero float[1]=empty
// expect: race value[0] block (1,0,0) thread (0,0,0) against thread (0,0,0)
// says: add __threadfence() before it, after line 8
__global__ void pass_on(float* value, volatile int* ready, float* y) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *value = 42;  // second
#ifdef REPAIRED
        __threadfence();
#endif
        *ready = 1;
    } else {
        while (*ready == 0) {
        }
        __threadfence();
        *y = *value;  // first
    }
}
