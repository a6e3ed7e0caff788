// A shuffle of a tile of 32 threads that only 16 of them reach.
// launch: grid 1 block 32 int[32] int[32]=empty
// expect: warp_mask thread (0,0,0)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void shift(const int* x, int* y) {
    const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int t = tile.thread_rank();
    int value = x[t];
#ifdef REPAIRED
    const int next = tile.shfl_down(value, 1);
    if (t < 16) value = next;
#else
    if (t < 16)
        value = tile.shfl_down(value, 1);  // first
    else
        tile.sync();
#endif
    y[t] = value;
}
