// What the checks see of whole launches, where a picture in the gallery would not say enough.
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanes {
namespace {

Device one_schedule() { return Device::simulator().with(Checks::one_schedule()); }

template <class... Arguments>
std::vector<Finding> findings_of(const Program& program, const LaunchConfig& config, const Arguments&... arguments) {
    try {
        launch(program.kernel(program.kernel_names().at(0)), config, arguments...);
    } catch (const CudaKernelFault& fault) {
        return fault.findings();
    }
    return {};
}

// Buffers that are const to a CUDA kernel are not watched; one that is written all the same is, from the beginning.
TEST(SimulatorChecks, ARaceInWhatWasPromisedToBeConst) {
    const Device device = one_schedule();
    const Program program(device,
                          "__global__ void k(const int* x, int* y, int by) {\n"
                          "    int i = threadIdx.x;\n"
                          "    y[i] += x[i];\n"
                          "    if (i == 0) printf(\"once\\n\");\n"
                          "    ((int*)x)[i + by] = i;\n"
                          "}\n");
    const Buffer<int> x(device, std::vector<int>(65, 1));
    const auto y = Buffer<int>::zeros(device, 64);
    testing::internal::CaptureStdout();
    launch(program.kernel("k"), {1, 64}, x, y, 0);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "once\n");
    EXPECT_EQ(y.download(), std::vector<int>(64, 1)) << "what the first try did was undone";
    EXPECT_EQ(x.download()[63], 63);
    const auto found = findings_of(program, {1, 64}, x, y, 1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::race);
    EXPECT_EQ(found[0].first.line, 3);
    EXPECT_EQ(found[0].second.line, 5);
    EXPECT_EQ(found[0].index, 1);
}

TEST(SimulatorChecks, OneBufferBehindAConstPointerAndAnother) {
    const Device device = one_schedule();
    const Program program(device, "__global__ void k(const int* x, int* y) {\n    y[threadIdx.x + 1] = x[threadIdx.x];\n}\n");
    const Buffer<int> x(device, std::vector<int>(65, 1));
    const auto found = findings_of(program, {1, 64}, x, x);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::race);
}

// What the first launch wrote is looked through once, and no more after that.
TEST(SimulatorChecks, ConstMemoryWithAHole) {
    const Device device = one_schedule();
    const Program fill(device, "__global__ void k(int* x, int n) {\n    if (threadIdx.x < n) x[threadIdx.x] = 1;\n}\n");
    const Program sum(device, "__global__ void k(const int* x, int* y) {\n    y[threadIdx.x] = x[threadIdx.x];\n}\n");
    const Buffer<int> x(device, 64), y(device, 64);
    launch(fill.kernel("k"), {1, 64}, x, 63);
    const auto found = findings_of(sum, {1, 64}, x, y);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::uninitialised_read);
    EXPECT_EQ(found[0].index, 63);
    launch(fill.kernel("k"), {1, 64}, x, 64);
    EXPECT_TRUE(findings_of(sum, {1, 64}, x, y).empty());
}

}  // namespace
}  // namespace lanes
