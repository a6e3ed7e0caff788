// A reduction over any group: the values are read before the group has written them.
// launch: grid 1 block 32 int[32] int[1]=empty
// expect: race values[16] thread (16,0,0) against thread (0,0,0)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int sum(cg::thread_group group, int* values, int value) {
    const int rank = group.thread_rank();
    for (int step = group.size() / 2; step > 0; step /= 2) {
        values[rank] = value;  // first
#ifdef REPAIRED
        group.sync();
#endif
        if (rank < step) value += values[rank + step];  // second
        group.sync();
    }
    return value;
}
__global__ void total(const int* x, int* y) {
    __shared__ int values[32];
    const int result = sum(cg::this_thread_block(), values, x[threadIdx.x]);
    if (threadIdx.x == 0) y[0] = result;
}
