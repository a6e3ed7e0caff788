// Only the first warp of each block comes to the grid's barrier.
// launch: cooperative grid 2 block 64 int[128]=zero int[2]=zero
// expect: barrier_divergence thread (0,0,0) against thread (32,0,0)
// says: sync() of the grid
#include <cooperative_groups.h>
__global__ void sums(int* x, int* sums) {
    const auto grid = cooperative_groups::this_grid();
    x[grid.thread_rank()] = threadIdx.x;
#ifdef REPAIRED
    grid.sync();
#else
    if (threadIdx.x < 32) grid.sync();  // first
#endif
    if (threadIdx.x == 0)
        for (int k = 0; k < 64; ++k) sums[blockIdx.x] += x[64 * (1 - blockIdx.x) + k];
}
