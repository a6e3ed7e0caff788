// Launches that write nothing: a mistake, a hint, or intended.
#include "gpu/devices.hpp"

#include <vector>

namespace lanes {
namespace {

class NothingWritten : public testing::Test {
protected:
    // What the launch reported: the message of the first finding, or the hints; "" if nothing.
    template <class... Arguments>
    std::string said(const std::string& body, const Arguments&... arguments) {
        const Program program(
            device_,
            "__global__ void k(const int* x, int* y, int n) {\n    int i = threadIdx.x;\n" + body +
                "\n}\n",
            {"cell.cu", {}});
        testing::internal::CaptureStderr();
        std::string words;
        try {
            for (const std::string& hint : launch(program.kernel("k"), {1, 32}, arguments...).hints)
                words += "hint: " + hint;
        } catch (const CudaKernelFault& fault) {
            words = fault.findings()[0].message;
            EXPECT_EQ(fault.findings()[0].kind, FindingKind::untouched_elements);
            EXPECT_EQ(fault.findings()[0].first.line, 3);
        }
        aloud_ = testing::internal::GetCapturedStderr();
        return words;
    }
    const Device device_ = Device::simulator();
    const Buffer<int> x_{device_, std::vector<int>(32, 3)},
        zeros_ = Buffer<int>::zeros(device_, 32), empty_{device_, 32};
    std::string aloud_;
};

TEST_F(NothingWritten, IsAMistakeWhereNobodyTouchedAnything) {
    for (const Buffer<int>& y : {zeros_, empty_}) {
        const std::string words = said("    if (i >= n) y[i] = x[i];", x_, y, 32);
        EXPECT_EQ(
            words.find("cell.cu:3: k writes nothing: all 32 elements of y are as they were\n"), 0U)
            << words;
        EXPECT_NE(words.find("wrong way round"), std::string::npos) << words;
    }
}

TEST_F(NothingWritten, IsAMistakeWhereTheResultHoldsNothing) {
    const std::string words = said("    if (x[i] > n) y[i] = x[i];", x_, empty_, 32);
    EXPECT_NE(words.find("Threads read, and none comes to a line that writes"), std::string::npos)
        << words;
}

TEST_F(NothingWritten, IsAHintWhereItMayBeMeant) {
    const std::string words = said("    if (x[i] > n) y[i] = x[i];", x_, zeros_, 32);
    EXPECT_EQ(words,
              "hint: no thread wrote anything, y is as it was. Look at the guard and the "
              "conditions, unless that was meant.");
    EXPECT_EQ(aloud_, "launch k <<<1, 32>>>: " + words.substr(6) + "\n");
}

TEST_F(NothingWritten, ABufferOfSeveralIsAHintInTheReport) {
    const Program program(device_,
                          "__global__ void k(int* y, int* z, int n) {\n    y[threadIdx.x] = n;\n   "
                          " if (n > 32) z[threadIdx.x] = n;\n}\n");
    testing::internal::CaptureStderr();
    const LaunchReport report = launch(program.kernel("k"), {1, 32}, zeros_, empty_, 32);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    ASSERT_EQ(report.hints.size(), 1U);
    EXPECT_NE(report.text().find("\n  hint: no thread wrote to z, which holds nothing."),
              std::string::npos)
        << report.text();
    EXPECT_TRUE(launch(program.kernel("k"), {1, 32}, zeros_, zeros_, 32).hints.empty());
}

// A search that finds nothing, or the last of many iterations, in which nothing is left to do.
TEST_F(NothingWritten, IsSaidAloudOnceAndOnlyBeforeTheFirstWrite) {
    const Program program(device_,
                          "__global__ void k(const int* x, int* y, int n) {\n    if "
                          "(x[threadIdx.x] > n) y[threadIdx.x] = 1;\n}\n");
    const auto aloud = [&](const Program& text, int n) {
        testing::internal::CaptureStderr();
        launch(text.kernel("k"), {1, 32}, x_, zeros_, n);
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_NE(aloud(program, 9), "");
    EXPECT_EQ(aloud(program, 9), "");
    const Program other(device_,
                        "__global__ void k(const int* x, int* y, int n) {\n    if (x[threadIdx.x] "
                        ">= n) y[threadIdx.x] = 2;\n}\n");
    EXPECT_EQ(aloud(other, 2), "");
    EXPECT_EQ(aloud(other, 9), "");
}

TEST_F(NothingWritten, IsFineWhereThereIsNothingToDo) {
    EXPECT_EQ(said("    if (i < n) y[i] = x[i];", x_, empty_, 0), "");
    EXPECT_EQ(said("    ;", x_, empty_, 32), "");
    EXPECT_EQ(said("    assert(x[i] < n); if (x[i] > 5) y[i] = 1;", x_, empty_, 32), "");
    EXPECT_EQ(said("    if (i < n) y[i] = x[i];", x_, empty_, 32), "");
    testing::internal::CaptureStdout();
    EXPECT_EQ(said("    if (i == 0) printf(\"%d\\n\", x[i]); else if (x[i] > n) y[i] = 1;", x_,
                   zeros_, 32),
              "");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "3\n");
}

TEST_F(NothingWritten, AtomicsAndVariablesAreWrites) {
    EXPECT_EQ(said("    if (i < n) atomicAdd(y, 1);", x_, zeros_, 32), "");
    const Program program(device_,
                          "__device__ int total;\n__global__ void k(int* y, int n) {\n    "
                          "atomicAdd(&total, 1);\n    if (n > 32) y[0] = 1;\n}\n");
    EXPECT_TRUE(launch(program.kernel("k"), {1, 32}, zeros_, 32).hints.empty());
}

}  // namespace
}  // namespace lanes
