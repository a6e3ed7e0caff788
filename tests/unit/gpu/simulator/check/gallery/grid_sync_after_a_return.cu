// The last block has nothing to do and returns; the others wait for it at the grid's barrier.
// launch: cooperative grid 4 block 32 float[96] float[96]=empty 96
// expect: barrier_divergence block (0,0,0) thread (0,0,0) against block (3,0,0) thread (0,0,0)
// says: let no block return before it
#include <cooperative_groups.h>
__global__ void reverse(float* x, float* y, int n) {
    const auto grid = cooperative_groups::this_grid();
    const int i = grid.thread_rank();
#ifdef REPAIRED
    if (i < n) x[i] += 1;
    grid.sync();
    if (i < n) y[i] = x[n - 1 - i];
#else
    if (i >= n) return;
    x[i] += 1;
    grid.sync();  // first
    y[i] = x[n - 1 - i];
#endif
}
