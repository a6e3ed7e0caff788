// A neighbour's value from another block is read, and only the block has waited.
// launch: cooperative grid 4 block 32 float[128]=zero float[128]=empty
// expect: race x[32] block (1,0,0) thread (0,0,0) against block (0,0,0) thread (31,0,0)
// says: put sync() of this_grid() between line 9 and line 15
#include <cooperative_groups.h>
__global__ void neighbours(float* x, float* y) {
    const auto grid = cooperative_groups::this_grid();
    const int i = grid.thread_rank();
    x[i] = i;  // first
#ifdef REPAIRED
    grid.sync();
#else
    __syncthreads();
#endif
    y[i] = x[(i + 1) % grid.size()];  // second
}
