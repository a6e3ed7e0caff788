// With checks on, blocks run in a fixed order and findings are sorted: a launch reports the same
// text in every run.
#include "gpu/devices.hpp"

#include <set>
#include <vector>

namespace lanes {
namespace {

// What launches of k(int* y, int n) print and report in several runs with new programs and buffers.
std::set<std::string> words_of(const std::string& text, const LaunchConfig& config, int runs) {
    std::set<std::string> words;
    for (int run = 0; run < runs; ++run) {
        const Device device = Device::simulator();
        const Program program(device, text, {"cell.cu", {}});
        const std::vector<Buffer<int>> others(
            static_cast<std::size_t>(run), Buffer<int>(device, 100));  // other addresses each time
        const auto y = Buffer<int>::zeros(device, 256);
        testing::internal::CaptureStdout();
        std::string said;
        try {
            said = launch(program.kernel("k"), config, y, 256).text();
        } catch (const CudaKernelFault& fault) {
            for (const Finding& finding : fault.findings()) said += finding.message + "\n";
        }
        words.insert(testing::internal::GetCapturedStdout() + said);
    }
    return words;
}

TEST(SameText, OfPrintf) {
    const auto words = words_of(
        "__global__ void k(int* y, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n  "
        "  if (i % 7 == 0) printf(\"first %d\\n\", i);\n    "
        "__syncthreads();\n    if (i % 5 == 0) printf(\"second %d\\n\", i);\n    if (i < n) "
        "atomicAdd(&y[i % 3], i);\n}\n",
        {8, 32}, 20);
    ASSERT_EQ(words.size(), 1U);
    EXPECT_EQ(words.begin()->find("first 0\nfirst 7\n"), 0U) << *words.begin();
}

TEST(SameText, OfFindings) {
    const auto words = words_of(
        "__global__ void k(int* y, int n) {\n    __shared__ int s[32];\n    int t = threadIdx.x, i "
        "= blockIdx.x * blockDim.x + t;\n    s[t] = i;\n"
        "    y[i] = s[31 - t];\n    y[(i + 1) % n] = s[(t + 1) % 32];\n    y[0] += 1;\n    if (t < "
        "3) printf(\"%d\\n\", s[t]);\n}\n",
        {8, 32}, 20);
    ASSERT_EQ(words.size(), 1U);
    EXPECT_NE(words.begin()->find("race"), std::string::npos);
}

}  // namespace
}  // namespace lanes
