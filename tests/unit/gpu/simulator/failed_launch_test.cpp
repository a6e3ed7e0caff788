// A launch in which the simulator finds a mistake changes nothing: buffers and variables are as
// before, so that the corrected CUDA kernel can run on them.
#include "gpu/devices.hpp"

#include <numeric>
#include <vector>

namespace lanes {
namespace {

std::vector<int> counted(std::size_t count) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

template <class... Arguments>
std::vector<Finding> findings_of(const CudaKernel& cuda_kernel, const LaunchConfig& config,
                                 const Arguments&... arguments) {
    try {
        launch(cuda_kernel, config, arguments...);
    } catch (const CudaKernelFault& fault) {
        return fault.findings();
    }
    return {};
}

class FailedLaunch : public testing::TestWithParam<int> {
protected:
    static Device device() {
        Checks checks;
        checks.schedules = GetParam();
        return Device::simulator().with(checks);
    }
};
INSTANTIATE_TEST_SUITE_P(Schedules, FailedLaunch, testing::Values(1, 3));

TEST_P(FailedLaunch, SwappedBuffersKeepTheirValues) {
    const Program program(device(),
                          "__global__ void twice(const int* x, int* y, int n) {\n    int i = "
                          "threadIdx.x;\n    if (i < n) y[i] = 2 * x[i];\n}\n");
    const Buffer<int> x(device(), counted(32)), y(device(), 32);
    const auto found = findings_of(program.kernel("twice"), {1, 32}, y, x, 32);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].kind, FindingKind::uninitialised_read);
    EXPECT_EQ(x.download(), counted(32));
    launch(program.kernel("twice"), {1, 32}, x, y, 32);
    EXPECT_EQ(y.download()[31], 62);
}

// What was written before the mistake was found is undone, and does not count as initialised.
TEST_P(FailedLaunch, WhatHadNoValueHasNoneAfterwards) {
    const Program program(
        device(),
        "__global__ void fill(int* y, int n) {\n    if (threadIdx.x < n) y[threadIdx.x] = 1;\n}\n"
        "__global__ void copy(const int* x, int* y) {\n    y[threadIdx.x] = x[threadIdx.x];\n}\n");
    const Buffer<int> x(device(), 24), y(device(), 32);
    launch(program.kernel("fill"), {1, 32}, x, 8);  // 8 of 24: neither all nor none
    for (int round = 0; round < 2; ++round) {
        const auto outside = findings_of(program.kernel("fill"), {1, 32}, x, 32);
        ASSERT_EQ(outside.size(), 1U);
        EXPECT_EQ(outside[0].index, 24);
        const auto unset = findings_of(program.kernel("copy"), {1, 24}, x, y);
        ASSERT_FALSE(unset.empty());
        EXPECT_EQ(unset[0].kind, FindingKind::uninitialised_read);
        EXPECT_EQ(unset[0].index, 8);
        const auto other = findings_of(program.kernel("copy"), {1, 32}, y, x);
        ASSERT_FALSE(other.empty());
        EXPECT_EQ(other[0].index, 0) << "nothing of y has a value";
    }
    launch(program.kernel("fill"), {1, 32}, x, 24);
    launch(program.kernel("copy"), {1, 24}, x, y);
    EXPECT_EQ(y.download()[23], 1);
}

TEST_P(FailedLaunch, ResultsInPlaceAreNotMadeTwice) {
    const Program program(device(),
                          "__global__ void more(int* y, int n) {\n    if (threadIdx.x < n) "
                          "y[threadIdx.x] += 1;\n}\n");
    const Buffer<int> y(device(), counted(32));
    EXPECT_EQ(findings_of(program.kernel("more"), {1, 64}, y, 64).size(), 1U);
    EXPECT_EQ(y.download(), counted(32));
    launch(program.kernel("more"), {1, 64}, y, 32);
    EXPECT_EQ(y.download()[31], 32);
}

TEST_P(FailedLaunch, VariablesAndConstBuffersToo) {
    const Program program(device(),
                          "__device__ int total = 5;\n"
                          "__global__ void add(const int* x, int n) {\n    atomicAdd(&total, 1);\n "
                          "   ((int*)x)[threadIdx.x] = 7;\n"
                          "    if (threadIdx.x == 31) ((int*)x)[n] = 1;\n}\n"
                          "__global__ void read(int* y) {\n    y[0] = total;\n}\n");
    const Buffer<int> x(device(), counted(32)), y(device(), 1);
    EXPECT_EQ(findings_of(program.kernel("add"), {1, 32}, x, 40).size(), 1U);
    EXPECT_EQ(x.download(), counted(32));
    launch(program.kernel("read"), {1, 1}, y);
    EXPECT_EQ(y.download()[0], 5);
}

// Each schedule starts from the memory before the launch, even if a const buffer is written.
TEST(Schedules, BeginWithTheSameConstBuffer) {
    const Device device = Device::simulator();
    const Program program(
        device, "__global__ void more(const int* x) {\n    ((int*)x)[threadIdx.x] += 1;\n}\n");
    const Buffer<int> x(device, counted(32));
    launch(program.kernel("more"), {1, 32}, x);
    EXPECT_EQ(x.download()[31], 32);
}

}  // namespace
}  // namespace lanes
