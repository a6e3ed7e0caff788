// Each warp leaves its sum in shared memory; the barrier is that of the warp, not of the block.
// launch: grid 1 block 64 float[64] float[1]=empty
// expect: race sums[1] thread (0,0,0) against thread (32,0,0)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void total(const float* x, float* y) {
    __shared__ float sums[2];
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const float sum = cg::reduce(warp, x[block.thread_rank()], cg::plus<float>());
    if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum;  // second
#ifdef REPAIRED
    block.sync();
#else
    warp.sync();
#endif
    if (block.thread_rank() == 0) y[0] = sums[0] + sums[1];  // first
}
