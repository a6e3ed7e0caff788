// Cooperative launches: this_grid().sync() waits for all blocks, which run by turns.
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace lanes {
namespace {

// Shared memory and local variables of a block must survive the turns of the other blocks.
const char* const text = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void sum(const int* x, int* partial, int* out, int n) {
    __shared__ int s[64];
    extern __shared__ int d[];
    const cg::grid_group grid = cg::this_grid();
    int mine = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += x[i];
    s[threadIdx.x] = mine;
    d[threadIdx.x] = blockIdx.x;
    grid.sync();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
    grid.sync();
    int total = 0;
    for (int b = 0; b < gridDim.x; ++b) total += partial[b];
    const int before = __shfl_up_sync(0xffffffff, d[threadIdx.x], 1);
    out[grid.thread_rank()] = total + 1000000 * (mine >= 0 && before == blockIdx.x);
}

__global__ void steps(int* x, int count) {
    const cg::grid_group grid = cg::this_grid();
    const int i = grid.thread_rank(), n = grid.size();
    for (int k = 0; k < count; ++k) {
        const int next = x[(i + 1) % n];
        grid.sync();
        x[i] = next;
        grid.sync();
    }
}

__global__ void leaves(int* x) {
    if (blockIdx.x == 1) return;
    x[blockIdx.x] = 1;
    cg::this_grid().sync();
}
)";

class Cooperative : public testing::TestWithParam<bool> {
protected:
    const Device device = GetParam() ? Device::simulator() : Device::simulator().fast();
    const Program program{device, text};
};

TEST_P(Cooperative, KeepsWhatEachBlockHas) {
    std::vector<int> values(5000);
    std::iota(values.begin(), values.end(), 0);
    const Buffer<int> x(device, values), partial(device, 6), out(device, 6 * 64);
    LaunchConfig config{6, 64, 64 * sizeof(int), true};
    const LaunchReport report = launch(program.kernel("sum"), config, x, partial, out, 5000);
    EXPECT_EQ(out.download(), std::vector<int>(6 * 64, 4999 * 2500 + 1000000));
    if (GetParam()) {
        EXPECT_EQ(report.counters.barriers, 6U * (6 + 2));
    }
}

TEST_P(Cooperative, MeetsManyTimes) {
    std::vector<int> values(4 * 32);
    std::iota(values.begin(), values.end(), 0);
    const Buffer<int> x(device, values);
    launch(program.kernel("steps"), {4, 32, 0, true}, x, 100);
    EXPECT_EQ(x.download()[0], 100);
    EXPECT_EQ(x.download()[127], 99);
    launch(program.kernel("steps"), {1, 128, 0, true}, x, 28);  // one block, and a larger one
    EXPECT_EQ(x.download()[0], 0);
}

TEST_P(Cooperative, SaysWhichBlocksDoNotCome) {
    const Buffer<int> x = Buffer<int>::zeros(device, 3);
    for (int i = 0; i < 2; ++i) try {  // the second one gives back what the first has left
            launch(program.kernel("leaves"), {3, 32, 0, true}, x);
            FAIL();
        } catch (const CudaKernelFault& fault) {
            const std::string message = fault.what();
            EXPECT_NE(message.find("1 block"), std::string::npos) << message;
            EXPECT_NE(message.find("returned"), std::string::npos) << message;
            EXPECT_EQ(fault.findings().at(0).kind, FindingKind::barrier_divergence);
        }
    launch(program.kernel("steps"), {1, 3, 0, true}, x, 1);  // the device is not harmed
}

TEST_P(Cooperative, RefusesAGridThatDoesNotFit) {
    const Buffer<int> x = Buffer<int>::zeros(device, 33 * 256);
    try {
        launch(program.kernel("steps"), {33, 256, 0, true}, x, 1);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("only 32 of this size fit"), std::string::npos)
            << error.what();
    }
    launch(program.kernel("steps"), {32, 256, 0, true}, x, 1);
}

INSTANTIATE_TEST_SUITE_P(Simulator, Cooperative, testing::Bool(),
                         [](const auto& info) { return info.param ? "checked" : "fast"; });

}  // namespace
}  // namespace lanes
