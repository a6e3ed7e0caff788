// The barrier of a tile of 64 threads stands where the whole block must wait.
// launch: grid 1 block 128 int[128] int[128]=empty
// expect: race s[127] thread (127,0,0) against thread (63,0,0)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void other_tile(const int* x, int* y) {
    __shared__ int s[128];
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    s[threadIdx.x] = x[threadIdx.x];  // first
#ifdef REPAIRED
    cg::this_thread_block().sync();
#else
    tile.sync();
#endif
    y[threadIdx.x] = s[(threadIdx.x + 64) % 128] + tile.size();  // second
}
