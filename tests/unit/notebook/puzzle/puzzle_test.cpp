// The frame of the CUDA puzzles. The puzzles themselves, with right and wrong answers, are tested
// in tests/unit/exercises.
#include "notebook/puzzle/spec.hpp"

#include "lanes/gpu/device.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

void launches(lanes::PuzzleLaunches& puzzle) {
    puzzle.launch({2, 4}).in<int>(6).out<int>(6).number(6);
    puzzle.launch({1, 4}).in<int>(1, 5, 5).out<int>(1).number(1);
}

lanes::notebook::PuzzleSpec twice() {
    return lanes::notebook::PuzzleSpec("twice", "const int* a, int* out, int n", launches)
        .reference([](const lanes::LaunchConfig&, const int* a, int* out, int n) {
            for (int i = 0; i < n; ++i) out[i] = 2 * a[i];
        })
        .goal({"loads per element", 1, "Otherwise", 2, [](const lanes::PuzzleRun& run) {
                   return double(run.report.counters.global_loads);
               }});
}

const std::string right = R"(__global__ void twice(const int* a, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * a[i];
})";

std::string printed(void (*f)(const lanes::CudaPuzzle&)) {
    const lanes::notebook::PuzzleSpec spec = twice();
    testing::internal::CaptureStdout();
    f(lanes::CudaPuzzle(spec));
    return testing::internal::GetCapturedStdout();
}

TEST(CudaPuzzle, ARightAnswerIsDrawnAndItsCountersShown) {
    const std::string text = printed([](const auto& puzzle) { puzzle.check(right); });
    EXPECT_NE(text.find("thread 5 reads a[5], writes out[5]"), std::string::npos) << text;
    EXPECT_NE(text.find("twice: passed, 2 cases."), std::string::npos) << text;
    EXPECT_NE(text.find("loads per element: 1, goal 1 (reached). Otherwise: 2."), std::string::npos)
        << text;
}

TEST(CudaPuzzle, TheTaskIsDrawnFromTheReference) {
    const std::string text = printed([](const auto& puzzle) { puzzle.show(); });
    EXPECT_NE(text.find("n = 6, <<<2, 4>>>. out[3] depends on a[3]"), std::string::npos) << text;
}

TEST(CudaPuzzle, AWrongAnswerShowsInputOutputAndExpectedOutput) {
    const lanes::notebook::PuzzleSpec spec = twice();
    std::string wrong = right;
    wrong.replace(wrong.find("2 * a"), 1, "3");
    testing::internal::CaptureStdout();
    try {
        lanes::CudaPuzzle(spec).check(wrong);
        ADD_FAILURE() << "passed";
    } catch (const lanes::CheckFailed& error) {
        const std::string text = error.what();
        for (const char* words : {"case 1, n = 6, <<<2, 4>>>", "\n  a:", "\n  your out:",
                                  "\n  expected:", "1.5 times the expected one"})
            EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
    }
    EXPECT_NE(testing::internal::GetCapturedStdout().find("who reads and writes what"),
              std::string::npos);
}

TEST(PuzzleLaunches, TheSeedDecidesTheValues) {
    lanes::PuzzleLaunches first(1), again(1), other(2);
    for (auto* puzzle : {&first, &again, &other}) launches(*puzzle);
    const auto values = [](const lanes::PuzzleLaunches& puzzle) {
        return std::get<std::vector<int>>(puzzle.launches()[0].arguments()[0].value);
    };
    EXPECT_EQ(values(first), values(again));
    EXPECT_NE(values(first), values(other));
}

TEST(PuzzleLaunches, AFaultIsNamedInAComment) {
    EXPECT_EQ(lanes::named_fault("#line 2\n// fault:  Line 3,  lost update. \nvoid f();"),
              "line 3, lost update");
    EXPECT_EQ(lanes::named_fault("void f();"), "");
}

}  // namespace
