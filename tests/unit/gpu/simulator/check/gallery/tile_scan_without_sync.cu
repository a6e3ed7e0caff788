// The tiles of a warp pass on their sums through shared memory without a barrier of the tile.
// launch: grid 1 block 32 int[32] int[32]=empty
// expect: race last[0] thread (7,0,0) against thread (5,0,0)
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void scan(const int* x, int* y) {
    __shared__ int last[4];
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int sum = cg::inclusive_scan(tile, x[threadIdx.x]);
    if (tile.thread_rank() == 7) last[tile.meta_group_rank()] = sum;  // first
#ifdef REPAIRED
    tile.sync();
#endif
    y[threadIdx.x] = last[tile.meta_group_rank()] - sum;  // second
}
