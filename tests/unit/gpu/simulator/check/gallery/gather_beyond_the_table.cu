// The indices of a gather lead past the end of the table.
// launch: grid 1 block 32 int[32] float[16] float[32]=empty
// expect: out_of_bounds table[16] thread (16,0,0)
__global__ void gather(const int* index, const float* table, float* y) {
    const int t = threadIdx.x;
#ifdef REPAIRED
    y[t] = table[index[t] % 16];
#else
    y[t] = table[index[t]];  // first
#endif
}
