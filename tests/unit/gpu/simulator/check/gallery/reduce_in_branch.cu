// A reduction over a tile inside of a branch: the others of the tile wait elsewhere.
// launch: grid 1 block 32 float[32] float[1]=empty
// expect: warp_mask thread (0,0,0)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void sum_of_the_small(const float* x, float* y) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const float value = x[tile.thread_rank()];
#ifdef REPAIRED
    const float sum = cg::reduce(tile, value < 20 ? value : 0.0f, cg::plus<float>());
    if (tile.thread_rank() == 0) y[0] = sum;
#else
    if (value < 20) {
        const float sum = cg::reduce(tile, value, cg::plus<float>());  // first
        if (tile.thread_rank() == 0) y[0] = sum;
    }
    tile.sync();
#endif
}
