// thread_rank() counts all threads of a two-dimensional block, the array has one row of it.
// launch: grid 1 block 8x4 float[32] float[32]=empty
// expect: out_of_bounds row[8] thread (0,1,0)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void copy(const float* x, float* y) {
    const cg::thread_block block = cg::this_thread_block();
    const int t = block.thread_rank();
#ifdef REPAIRED
    __shared__ float row[32];
#else
    __shared__ float row[8];
#endif
    row[t] = x[t];  // first
    block.sync();
    y[t] = row[t];
}
