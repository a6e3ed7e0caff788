#include "lanes/lesson/answer_or.hpp"

#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {

int twice(int x) { return 2 * x; }
int stub(int) { throw lanes::NotFilledIn("Fill in twice: one line."); }
int wrong(int) { throw std::runtime_error("a mistake"); }

TEST(AnswerOr, CallsTheAnswer) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(lanes::answer_or(twice, stub)(4), 8);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(AnswerOr, CallsTheLibraryForAStubAndSaysSoOnce) {
    testing::internal::CaptureStdout();
    const auto f = lanes::answer_or(stub, twice);
    const auto copy = f;
    EXPECT_EQ(f(4) + copy(1), 10);
    EXPECT_EQ(testing::internal::GetCapturedStdout(),
              "twice is not filled in yet: this uses the library's version.\n");
}

TEST(AnswerOr, NamesAMethodWithItsClass) {
    testing::internal::CaptureStdout();
    const auto put = [] { throw lanes::NotFilledIn("Fill in MyQueue::put: three lines."); };
    lanes::answer_or(put, [] {})();
    EXPECT_EQ(testing::internal::GetCapturedStdout(),
              "MyQueue::put is not filled in yet: this uses the library's version.\n");
}

TEST(AnswerOr, LeavesOtherErrorsAlone) {
    EXPECT_THROW(lanes::answer_or(wrong, twice)(4), std::runtime_error);
}

// Compiles a CUDA text on the simulator, as an answer with a %%cuda cell does.
auto compiled(const char* body) {
    return [text = std::string("__global__ void double_kernel(int* x) {\n") + body + "\n}"](int x) {
        lanes::Program(lanes::Device::simulator(), text).kernel("double_kernel");
        return 2 * x;
    };
}

TEST(AnswerOr, KnowsTheStubOfACudaText) {
    testing::internal::CaptureStdout();
    const auto f =
        lanes::answer_or(compiled("    #error \"Fill in double_kernel: two lines.\""), twice);
    EXPECT_EQ(f(4), 8);
    EXPECT_EQ(testing::internal::GetCapturedStdout(),
              "double_kernel is not filled in yet: this uses the library's version.\n");
}

TEST(AnswerOr, LeavesOtherMistakesInACudaTextAlone) {
    EXPECT_THROW(lanes::answer_or(compiled("    no CUDA at all"), twice)(4),
                 lanes::CudaCompileError);
}

TEST(AnswerOr, TakesFunctionsWithoutArgumentsAndResult) {
    int by_library = 0;
    testing::internal::CaptureStdout();
    lanes::answer_or([] { throw lanes::NotFilledIn("Fill in copies."); }, [&] { ++by_library; })();
    EXPECT_EQ(testing::internal::GetCapturedStdout().rfind("copies is not filled in", 0), 0);
    EXPECT_EQ(by_library, 1);
}

}  // namespace
