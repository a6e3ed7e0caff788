// A barrier of the whole grid in a launch that is not cooperative.
// launch: grid 1 block 32 float[32] float[32]=empty
// repaired launch: cooperative grid 1 block 32 float[32] float[32]=empty
// expect: assertion thread (0,0,0)
// says: cooperative
#include <cooperative_groups.h>
__global__ void neighbours(float* x, float* y) {
    const auto grid = cooperative_groups::this_grid();
    const int i = grid.thread_rank();
    x[i] += 1;
    grid.sync();  // first
    y[i] = x[grid.size() - 1 - i];
}
