// Checks of whole launches that need more than a file of the gallery.
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace lanes {
namespace {

Device one_schedule() { return Device::simulator().with(Checks::one_schedule()); }

template <class... Arguments>
std::vector<Finding> findings_of(const Program& program, const LaunchConfig& config,
                                 const Arguments&... arguments) {
    try {
        launch(program.kernel(program.kernel_names().at(0)), config, arguments...);
    } catch (const CudaKernelFault& fault) {
        return fault.findings();
    }
    return {};
}

// Buffers that are const to a CUDA kernel are not watched; one that is written nevertheless is
// watched from the beginning of the launch.
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

// There is already a barrier between the two lines. One is missing on the way back to the start of
// the loop, also for the threads of one warp.
TEST(SimulatorChecks, TheAdviceForATileThatIsFilledAgain) {
    const Device device = one_schedule();
    const Program program(device,
                          "__global__ void k(const int* x, int* y, int n) {\n"
                          "    __shared__ int tile[32];\n"
                          "    int s = 0;\n"
                          "    for (int base = 0; base < n; base += 32) {\n"
                          "        tile[threadIdx.x] = x[base + threadIdx.x];\n"
                          "        __syncthreads();\n"
                          "        for (int j = 0; j < 32; ++j) s += tile[j];\n"
                          "    }\n"
                          "    y[threadIdx.x] = s;\n"
                          "}\n");
    const auto found = findings_of(program, {1, 32}, Buffer<int>::zeros(device, 128),
                                   Buffer<int>(device, 32), 128);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NE(found[0].message.find("after line 7, before the loop comes back to line 5."),
              std::string::npos)
        << found[0].message;
}

TEST(SimulatorChecks, AnAssertionIsToldOnce) {
    const Device device = one_schedule();
    const Program program(device, "__global__ void k(int n) { assert(n < 2); }\n", {"cell.cu", {}});
    const auto found = findings_of(program, {1, 1}, 3);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].message.substr(0, found[0].message.find('\n')),
              "cell.cu:1: assertion `n < 2` failed");
}

TEST(SimulatorChecks, OneBufferBehindAConstPointerAndAnother) {
    const Device device = one_schedule();
    const Program program(
        device,
        "__global__ void k(const int* x, int* y) {\n    y[threadIdx.x + 1] = x[threadIdx.x];\n}\n");
    const Buffer<int> x(device, std::vector<int>(65, 1));
    const auto found = findings_of(program, {1, 64}, x, x);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::race);
}

// What the first launch wrote is examined once, and not again after that.
TEST(SimulatorChecks, ConstMemoryWithAHole) {
    const Device device = one_schedule();
    const Program fill(
        device,
        "__global__ void k(int* x, int n) {\n    if (threadIdx.x < n) x[threadIdx.x] = 1;\n}\n");
    const Program sum(
        device,
        "__global__ void k(const int* x, int* y) {\n    y[threadIdx.x] = x[threadIdx.x];\n}\n");
    const Buffer<int> x(device, 64), y(device, 64);
    launch(fill.kernel("k"), {1, 64}, x, 63);
    const auto found = findings_of(sum, {1, 64}, x, y);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::uninitialised_read);
    EXPECT_EQ(found[0].index, 63);
    launch(fill.kernel("k"), {1, 64}, x, 64);
    EXPECT_TRUE(findings_of(sum, {1, 64}, x, y).empty());
}

// What an exercise may require of a CUDA kernel.
TEST(SimulatorCounters, NeighboursThatReadNeighboursTakeFourSectorsARequest) {
    const Device device = one_schedule();
    const Program program(device,
                          "__global__ void k(const float* x, float* y, int by) {\n    int i = "
                          "threadIdx.x;\n    y[i * by] = x[i * by];\n}\n");
    const Buffer<float> x(device, std::vector<float>(1024, 1));
    const auto y = Buffer<float>::zeros(device, 1024);
    const LaunchReport beside = launch(program.kernel("k"), {1, 64}, x, y, 1),
                       apart = launch(program.kernel("k"), {1, 64}, x, y, 16);
    EXPECT_LE(beside.sectors_per_request, 4.5);
    EXPECT_EQ(beside.counters.global_load_sectors, 8U);
    EXPECT_EQ(apart.sectors_per_request, 32);
    EXPECT_EQ(apart.load_sectors_per_request, 32);
}

// --- Grids that are too small, and grids that only look so

std::vector<Finding> of_grid(const std::string& body, const LaunchConfig& config,
                             const std::string& numbers, std::size_t inputs, std::size_t outputs,
                             const std::vector<int>& values) {
    const Device device = one_schedule();
    const Program program(device, "__global__ void k(const float* x, float* y" + numbers +
                                      ") {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
                                      body + "}\n");
    std::vector<gpu::Argument> arguments{
        gpu::argument(Buffer<float>(device, std::vector<float>(inputs, 1))),
        gpu::argument(Buffer<float>(device, outputs))};
    for (const int value : values) arguments.push_back(gpu::argument(value));
    try {
        gpu::launch_arguments(program.kernel("k"), config, arguments);
    } catch (const CudaKernelFault& fault) {
        return fault.findings();
    }
    return {};
}

TEST(TooSmallGrid, SaysWhatIsLeftAndWhatWouldDo) {
    const auto found =
        of_grid("    if (i < n) y[i] = x[i];\n", {1, 32}, ", int n", 100, 100, {100});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::untouched_elements);
    EXPECT_EQ(found[0].object, "y");
    EXPECT_EQ(found[0].index, 32);
    for (const char* part : {"68 of the 100 elements of y", "from y[32] on",
                             "32 threads for 100 elements", "here 4 blocks"})
        EXPECT_NE(found[0].message.find(part), std::string::npos) << part << "\n"
                                                                  << found[0].message;
}

TEST(TooSmallGrid, CountsWhatEachThreadDoes) {
    const auto found = of_grid("    for (int k = 0; k < 3; ++k) y[3 * i + k] = x[3 * i + k];\n",
                               {2, 8}, ", int n", 96, 96, {32});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].index, 48);
    EXPECT_NE(found[0].message.find("here 4 blocks"), std::string::npos) << found[0].message;
}

TEST(TooSmallGrid, CountsWhatIsWrittenAgainAndAgainOnce) {
    const auto found = of_grid(
        "    for (int again = 0; again < 4; ++again) {\n        y[i] = x[i];\n        "
        "__syncthreads();\n    }\n",
        {2, 16}, ", int n", 128, 128, {128});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::untouched_elements);
    EXPECT_EQ(found[0].index, 32);
}

TEST(TooSmallGrid, IsNoneWhereAllOfTheInputWasRead) {
    EXPECT_TRUE(
        of_grid("    y[i] = x[2 * i] + x[2 * i + 1];\n", {2, 32}, ", int n", 128, 128, {128})
            .empty())
        << "halves, into a buffer that is large enough";
}

TEST(TooSmallGrid, IsNoneWhereANumberSaysSo) {
    EXPECT_TRUE(of_grid("    if (first + i < n) y[first + i] = x[first + i];\n", {1, 32},
                        ", int n, int first", 100, 100, {100, 0})
                    .empty())
        << "a part of many";
    EXPECT_TRUE(of_grid("    if (i < m && m < n) y[i] = x[i];\n", {1, 32}, ", int n, int m", 100,
                        100, {100, 32})
                    .empty())
        << "as many as were asked for";
}

TEST(TooSmallGrid, IsNoneWithAStrideOverTheGrid) {
    EXPECT_TRUE(of_grid("    for (; i < n; i += gridDim.x * blockDim.x) y[i] = x[i];\n", {1, 32},
                        ", int n", 100, 100, {100})
                    .empty());
}

// --- Local variables and arrays

std::vector<Finding> of_text(const std::string& text, int n = 32) {
    const Device device = one_schedule();
    const Program program(device, text, {"cell.cu", {}});
    return findings_of(program, {1, 32}, Buffer<float>(device, std::vector<float>(64, 1)),
                       Buffer<float>::zeros(device, 64), n);
}

TEST(LocalArrays, AreLookedAtEvenWhereNobodyUsesTheValue) {
    const auto found = of_text(
        "__global__ void k(const float* x, float* y, int n) {\n    float a[4] = {x[0]};\n    float "
        "unused = a[n];\n    y[threadIdx.x] = a[0];\n}\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::out_of_bounds);
    EXPECT_EQ(found[0].first.line, 3);
    EXPECT_EQ(found[0].object, "a");
    EXPECT_EQ(found[0].index, 32);
    EXPECT_EQ(found[0].extent, 4U);
}

TEST(LocalArrays, NegativeIndicesHaveTheirSign) {
    const auto found = of_text(
        "__global__ void k(const float* x, float* y, int n) {\n    float a[4] = {x[0]};\n    "
        "y[threadIdx.x] = a[n];\n}\n",
        -2);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].index, -2);
}

TEST(LocalArrays, RowsOfSharedArraysMayBeReadAsOne) {
    EXPECT_TRUE(
        of_text("__global__ void k(const float* x, float* y, int n) {\n    __shared__ float "
                "tile[4][8];\n    float own[2] = {x[0], x[1]};\n    "
                "tile[0][threadIdx.x] = own[n % 2];\n"
                "    __syncthreads();\n    y[threadIdx.x] = tile[0][31 - threadIdx.x];\n}\n")
            .empty());
}

TEST(LocalVariables, ThatEveryThreadWhichReadsThemHasSetAreFine) {
    EXPECT_TRUE(of_text("__global__ void k(const float* x, float* y, int n) {\n    float value;\n  "
                        "  int i = threadIdx.x, twice;\n    if (i < n) value = x[i], twice = 2;\n"
                        "    __syncthreads();\n    if (i < n) y[i] = value * twice;\n}\n",
                        20)
                    .empty());
}

TEST(LocalVariables, BitsThatWereThereBeforeAreNoMistake) {
    const Device device = one_schedule();
    const Program program(device,
                          "__global__ void k(const float* x, float* y) {\n    y[threadIdx.x] = 2 * "
                          "x[threadIdx.x];\n}\n");
    std::vector<float> values(32);
    std::memset(values.data(), 0xff, sizeof(float) * values.size());
    EXPECT_TRUE(findings_of(program, {1, 32}, Buffer<float>(device, values),
                            Buffer<float>::zeros(device, 32))
                    .empty());
}

TEST(SlowLaunch, TellsOnceWhatIsFaster) {
    Checks checks;
    checks.slow_after_seconds = 0;
    const Device device = Device::simulator().with(checks);
    const Program program(device, "__global__ void k(int* y) {\n    y[threadIdx.x] = 1;\n}\n");
    const Buffer<int> y(device, 32);
    testing::internal::CaptureStderr();
    launch(program.kernel("k"), {1, 32}, y);
    launch(program.kernel("k"), {1, 32}, y);
    const std::string said = testing::internal::GetCapturedStderr();
    for (const char* part :
         {"launch k <<<1, 32>>>", "one_schedule()", "not in several", "device.fast()"})
        EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_EQ(said.find("launch k"), said.rfind("launch k"));
}

}  // namespace
}  // namespace lanes
