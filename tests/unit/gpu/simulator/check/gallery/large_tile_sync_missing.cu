// The warps of a tile of 64 threads exchange values without its barrier.
// launch: grid 1 block 128 int[128] int[128]=empty
// expect: race s[32] thread (32,0,0) against thread (0,0,0)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void other_half(const int* x, int* y) {
    __shared__ int s[128];
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    int* const mine = s + 64 * tile.meta_group_rank();
    mine[tile.thread_rank()] = x[threadIdx.x];  // first
#ifdef REPAIRED
    tile.sync();
#endif
    y[threadIdx.x] = mine[(tile.thread_rank() + 32) % 64];  // second
}
