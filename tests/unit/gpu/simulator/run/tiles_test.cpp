// Tiles of several warps: their threads wait for each other, and for no others.
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace lanes {
namespace {

const char* const text = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
struct Wide { int value; long more[2]; };

// By shared memory and sync(); only every second tile does it.
template <unsigned size> __global__ void sums(const int* x, int* y) {
    __shared__ cg::block_tile_memory<256> memory;
    __shared__ int s[256];
    const auto tile = cg::tiled_partition<size>(cg::this_thread_block(memory));
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (tile.meta_group_rank() % 2 == 1) {
        y[i] = -1;
        return;
    }
    int* const mine = s + size * tile.meta_group_rank();
    mine[tile.thread_rank()] = x[i];
    for (unsigned half = size / 2; half > 0; half /= 2) {
        tile.sync();
        if (tile.thread_rank() < half) mine[tile.thread_rank()] += mine[tile.thread_rank() + half];
    }
    tile.sync();
    y[i] = mine[0];
}

template <unsigned size> __global__ void operations(const int* x, int* y) {
    const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
    const int i = blockIdx.x * blockDim.x + threadIdx.x, rank = tile.thread_rank();
    const int next = tile.shfl(x[i], (rank + 1) % size);
    const Wide last = tile.shfl(Wide{x[i], {rank, -rank}}, size - 1);
    const int sum = cg::reduce(tile, x[i], cg::plus<int>());
    const cg::thread_group& any_group = tile;
    any_group.sync();
    y[6 * i] = next;
    y[6 * i + 1] = last.value + last.more[0] + last.more[1];
    y[6 * i + 2] = sum;
    y[6 * i + 3] = tile.any(rank == 40) + 2 * tile.any(rank == size);
    y[6 * i + 4] = tile.all(rank < size) + 2 * tile.all(rank != 40);
    y[6 * i + 5] = tile.size() + 1000 * tile.meta_group_rank() + 10000 * tile.meta_group_size() +
                   100000 * (any_group.size() == size && any_group.thread_rank() == rank);
}
)";

class Tiles : public testing::TestWithParam<bool> {
protected:
    const Device device = GetParam() ? Device::simulator() : Device::simulator().fast();
    const Program program{device, text};

    template <class Expected>
    void expect(const std::string& cuda_kernel, int per_thread, const Expected& expected) const {
        constexpr int threads = 256;
        std::vector<int> values(2 * threads);
        std::iota(values.begin(), values.end(), 3);
        const Buffer<int> x(device, values), y(device, values.size() * per_thread);
        launch(program.kernel(cuda_kernel), {2, threads}, x, y);
        const std::vector<int> got = y.download();
        for (int i = 0; i < 2 * threads; ++i)
            for (int k = 0; k < per_thread; ++k)
                ASSERT_EQ(got[per_thread * i + k], expected(i, k))
                    << cuda_kernel << " " << i << " " << k;
    }

    void expect_size(int size) const {
        const std::string of_size = "<" + std::to_string(size) + ">";
        // Of the values i + 3 of a tile.
        const auto sum = [&](int i) {
            return size * (i / size * size + 3) + size * (size - 1) / 2;
        };
        expect("sums" + of_size, 1, [&](int i, int) { return i / size % 2 ? -1 : sum(i); });
        expect("operations" + of_size, 6, [&](int i, int k) {
            const int first = i / size * size,
                      all[] = {first + (i + 1) % size + 3,
                               first + size - 1 + 3,
                               sum(i),
                               1,
                               1,
                               size + 1000 * (i % 256 / size) + 10000 * (256 / size) + 100000};
            return all[k];
        });
    }
};

TEST_P(Tiles, Of64Threads) { expect_size(64); }
TEST_P(Tiles, Of128Threads) { expect_size(128); }

INSTANTIATE_TEST_SUITE_P(WithAndWithoutChecks, Tiles, testing::Bool(),
                         [](const auto& info) { return info.param ? "Checked" : "Fast"; });

}  // namespace
}  // namespace lanes
