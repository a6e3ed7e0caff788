// A barrier of the whole block, written with cooperative groups, in a branch that half of it takes.
// launch: grid 1 block 64 float[64] float[64]=empty
// expect: barrier_divergence thread (0,0,0) against thread (32,0,0)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void halves(const float* x, float* y) {
    __shared__ float tile[64];
    const cg::thread_block block = cg::this_thread_block();
    const int t = block.thread_rank();
    tile[t] = x[t];
#ifdef REPAIRED
    block.sync();
    if (t < 32) tile[t] += tile[t + 32];
    block.sync();
#else
    if (t < 32) {
        block.sync();  // first
        tile[t] += 1;
    }
#endif
    y[t] = tile[t];
}
