// Only one warp of a tile of 64 threads comes to its barrier.
// launch: grid 1 block 128 int[128] int[128]=empty
// expect: barrier_divergence thread (0,0,0) against thread (32,0,0)
// says: All threads of a tile must come to the same operation
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void other_half(const int* x, int* y) {
    __shared__ int s[128];
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    int* const mine = s + 64 * tile.meta_group_rank();
    mine[tile.thread_rank()] = x[threadIdx.x];
#ifdef REPAIRED
    tile.sync();
#else
    if (tile.thread_rank() < 32) tile.sync();  // first
#endif
    y[threadIdx.x] = mine[(tile.thread_rank() + 32) % 64];
}
