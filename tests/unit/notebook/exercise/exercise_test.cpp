#include "lanes/notebook/exercise.hpp"

#include "lanes/array/types.hpp"
#include "lanes/base/not_filled_in.hpp"
#include "notebook/exercise/guard_blocks.hpp"
#include "notebook/exercise/judge.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>

namespace {

using lanes::CheckFailed;
using lanes::Matrix;
using lanes::notebook::About;
using lanes::notebook::ExerciseText;
using lanes::notebook::Judge;
using lanes::notebook::recognise;
using lanes::notebook::Values;
using lanes::notebook::values_of;

const ExerciseText twice{"twice", "int twice(int x)", "Gives 2 x.", "one line", "Add x to x.", {},
                         {}};

template <class F>
std::string failure(F&& f) {
    try {
        f();
    } catch (const CheckFailed& failed) {
        return failed.what();
    }
    return "passed";
}

std::string compared(const Matrix& got, const Matrix& expected, const About& about = {}) {
    lanes::notebook::failures_of("twice") = 0;
    return failure([&] {
        Judge judge(twice);
        judge.begin("a case");
        judge.same(values_of(got), values_of(expected), about);
    });
}

TEST(Exercise, ShowPrintsTaskAndSize) {
    testing::internal::CaptureStdout();
    lanes::Exercise(twice).show();
    EXPECT_EQ(testing::internal::GetCapturedStdout(),
              "int twice(int x)\nGives 2 x.\nSize of an answer: one line.\n");
}

TEST(Exercise, APassSaysHowManyCases) {
    testing::internal::CaptureStdout();
    Judge judge(twice);
    judge.begin("one");
    judge.begin("two");
    judge.pass();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "twice: passed, 2 cases.\n");
}

TEST(Exercise, NamesTheFirstMismatchWithBothValues) {
    const Matrix expected{{1, 2, 3}, {4, 5, 6}};
    Matrix got = expected;
    got(0, 2) = 3.5F;
    got(1, 0) = 9;
    EXPECT_EQ(compared(got, expected),
              "twice: case 1, a case\n  at (0, 2) expected 3, got 3.5. 2 of 6 elements differ.\n  "
              "x marks what differs:\n     . . x\n     x . .");
    EXPECT_EQ(compared(expected, expected), "passed");
}

TEST(Exercise, ASingleNumberHasNoPlace) {
    lanes::notebook::failures_of("twice") = 0;
    EXPECT_EQ(failure([] {
                  Judge judge(twice);
                  judge.begin("a case");
                  judge.same({{1}, {3}}, {{1}, {4}});
              }),
              "twice: case 1, a case\n  expected 4, got 3.");
}

TEST(Exercise, ShowsTheArgumentBesideIt) {
    const Values x = values_of(Matrix{{7, 8}});
    About about;
    about.x = &x;
    EXPECT_EQ(compared(Matrix{{14, 17}}, Matrix{{14, 16}}, about),
              "twice: case 1, a case\n  at (0, 1) x is 8, expected 16, got 17. The other elements "
              "are right.\n"
              "  Only the last column is wrong: does the loop reach it?");
}

TEST(Exercise, AKnownMistakeIsNamed) {
    About about;
    about.known = {{values_of(Matrix{{4, 9}}), "This is the square."}};
    EXPECT_NE(compared(Matrix{{4, 9}}, Matrix{{4, 6}}, about).find("This is the square."),
              std::string::npos);
    EXPECT_EQ(compared(Matrix{{4, 8}}, Matrix{{4, 6}}, about).find("This is the square."),
              std::string::npos);
}

TEST(Exercise, ANanAndAnotherShapeDiffer) {
    EXPECT_NE(compared(Matrix{{std::nanf(""), 1}}, Matrix{{1, 1}}).find("got nan"),
              std::string::npos);
    EXPECT_NE(compared(Matrix{{1, 2, 3}}, Matrix{{1}, {2}, {3}})
                  .find("the shape is (1, 3), expected (3, 1).\n  Rows and columns are swapped."),
              std::string::npos);
}

TEST(Exercise, TheHintComesWithTheSecondFailure) {
    lanes::notebook::failures_of("twice") = 0;
    const auto fail = [] { Judge(twice).fail("wrong."); };
    EXPECT_EQ(failure(fail).find("Hint"), std::string::npos);
    EXPECT_EQ(lanes::Exercise(twice).failures(), 1);
    EXPECT_NE(failure(fail).find("\n  Hint: Add x to x."), std::string::npos);
    testing::internal::CaptureStdout();
    Judge(twice).pass();
    testing::internal::GetCapturedStdout();
    EXPECT_EQ(lanes::Exercise(twice).failures(), 0);
    EXPECT_EQ(failure(fail).find("Hint"), std::string::npos);
}

TEST(Exercise, WhatAnAnswerThrowsFailsTheCheck) {
    lanes::notebook::failures_of("twice") = 0;
    EXPECT_EQ(failure([] {
                  Judge judge(twice);
                  judge.begin("a case");
                  judge.call([]() -> int { throw std::out_of_range("index 3"); });
              }),
              "twice: case 1, a case\n  the function threw std::out_of_range:\n  index 3");
    lanes::notebook::failures_of("twice") = 0;
    EXPECT_EQ(failure([] {
                  Judge(twice).call([]() -> int { throw lanes::NotFilledIn("Fill in twice."); });
              }),
              "twice: Fill in twice.");
}

TEST(Recognise, WhatDifferencesLookLike) {
    const auto of = [](const Matrix& got, const Matrix& expected) {
        return recognise(values_of(got), values_of(expected));
    };
    const Matrix square{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
    EXPECT_NE(of(Matrix{{1, 4, 7}, {2, 5, 8}, {3, 6, 10}}, square).find("transposed"),
              std::string::npos);
    EXPECT_NE(of(Matrix{{1, 2, 3}, {0, 5, 6}, {0, 0, 10}}, square).find("lower half is missing"),
              std::string::npos);
    EXPECT_NE(of(Matrix{{1, 0, 0}, {4, 5, 0}, {7, 8, 10}}, square).find("upper half is missing"),
              std::string::npos);
    EXPECT_NE(of(Matrix{{1, 2, 3}, {4, 5, 6}, {0, 0, 0}}, square).find("last row"),
              std::string::npos);
    EXPECT_NE(of(Matrix{{0, 1}, {2, 0}}, Matrix{{0.5F, 1.25F}, {2.75F, 0.1F}})
                  .find("Fractions are cut off"),
              std::string::npos);
    EXPECT_NE(of(Matrix{{0, 0}}, Matrix{{1, 2}}).find("All elements are 0"), std::string::npos);
    EXPECT_NE(of(Matrix{{-1, -2, -3}}, Matrix{{1, 2, 3}}).find("sign"), std::string::npos);
    EXPECT_NE(of(Matrix{{2, 4, 6}}, Matrix{{1, 2, 3}}).find("2 times"), std::string::npos);
    EXPECT_EQ(of(Matrix{{1, 2, 4}, {4, 6, 6}, {7, 9, 10}}, square), "");
}

// The message of a check whose answer writes to these places of a new matrix.
std::string after_writing_to(const std::vector<std::ptrdiff_t>& places) {
    lanes::notebook::failures_of("twice") = 0;
    return failure([&] {
        Judge judge(twice);
        judge.begin("a case");
        const Matrix got = lanes::notebook::call_with_guard_blocks(judge, 8, [&] {
            Matrix result = Matrix::from_shape({2, 4});
            float* elements = result.data();
            asm("" : "+r"(elements));  // hides from the compiler what is out of bounds
            for (const std::ptrdiff_t place : places) elements[place] += 1;
            return result;
        });
        EXPECT_EQ(got.size(), 8U);
    });
}

// Guard blocks need an allocator that hands out freed blocks again. Those of the sanitizers do not.
constexpr bool reuses_freed_blocks() {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return false;
#endif
#endif
    return true;
}

TEST(Exercise, ReportsWhereAnAnswerWritesOutsideOfItsResult) {
    if (!reuses_freed_blocks()) GTEST_SKIP() << "the allocator is the sanitizer's";
    EXPECT_EQ(after_writing_to({0, 7}), "passed");
    EXPECT_NE(
        after_writing_to({8}).find("the last element of 2x4 is (1, 3), and (2, 0) is written."),
        std::string::npos)
        << after_writing_to({8});
    EXPECT_NE(after_writing_to({9}).find("(2, 1) is written"), std::string::npos);
    // The allocator keeps its own data there.
    EXPECT_NE(after_writing_to({10, 11, 12}).find("(2, 2) is written"), std::string::npos);
    EXPECT_NE(after_writing_to({200}).find("(50, 0) is written"), std::string::npos);
    EXPECT_NE(after_writing_to({-1}).find("1 element before (0, 0)"), std::string::npos)
        << after_writing_to({-1});
    EXPECT_NE(after_writing_to({-5}).find("5 elements before (0, 0)"), std::string::npos);
    EXPECT_EQ(after_writing_to({0, 7}), "passed");  // all guards were repaired
}

TEST(Exercise, AnAnswerMayWriteAllOfItsResultAndUseTemporaries) {
    lanes::notebook::failures_of("twice") = 0;
    Judge judge(twice);
    judge.begin("a case");
    std::vector<std::size_t> sizes{200, 256, 258, 259, 260, 400, 512, 1000, 1024, 1025, 4000};
    for (std::size_t size = 1; size < 40; ++size) sizes.push_back(size);
    for (const std::size_t size : sizes) {
        const auto answer = [size] {
            std::vector<std::vector<float>> temporaries;
            for (std::size_t i = 1; i <= size; i += 1 + size / 8) temporaries.emplace_back(i, 2.0F);
            for (int i = 0; i < 6; ++i) temporaries.emplace_back(size, 2.0F);
            temporaries.erase(temporaries.begin(), temporaries.end() - 2);
            return Matrix(std::array<std::size_t, 2>{1, size}, 1.0F);
        };
        const Matrix got = lanes::notebook::call_with_guard_blocks(judge, size, answer);
        EXPECT_EQ(got(0, size - 1), 1.0F);
    }
}

// A block that another thread frees goes back to the heap when that thread ends, and glibc notes so
// in the header of the block after it, which is a guard. The guards must leave this note alone.
TEST(Exercise, AnAnswerMayFreeMemoryInAThreadOfItsOwn) {
    lanes::notebook::failures_of("twice") = 0;
    Judge judge(twice);
    judge.begin("a case");
    for (const std::size_t size : {1, 4, 8, 9, 20, 30, 40, 100, 200}) {
        const auto answer = [size] {
            std::vector<float> temporary(size, 2.0F);
            std::thread([taken = std::move(temporary)] {}).join();
            const std::vector<float> large(100000, 2.0F);  // makes glibc tidy up
            return Matrix(std::array<std::size_t, 2>{1, size}, 1.0F);
        };
        for (int i = 0; i < 4; ++i)
            EXPECT_EQ(lanes::notebook::call_with_guard_blocks(judge, size, answer).size(), size);
    }
}

// Its size is then in the last word of the block, which the answer may get for its result.
TEST(Exercise, AResultMayHaveAPlaceThatAnotherThreadFreed) {
    lanes::notebook::failures_of("twice") = 0;
    Judge judge(twice);
    judge.begin("a case");
    for (const std::size_t size : {117, 261, 301, 777}) {
        const auto answer = [size] {
            std::vector<std::vector<float>> temporaries;
            for (int i = 0; i < 4; ++i) temporaries.emplace_back(size, 2.0F);
            std::thread([taken = std::move(temporaries)] {}).join();
            return Matrix(std::array<std::size_t, 2>{1, size}, 1.0F);
        };
        for (int i = 0; i < 20; ++i)
            EXPECT_EQ(lanes::notebook::call_with_guard_blocks(judge, size, answer).size(), size);
    }
}

TEST(Exercise, MemoryThatNothingWasWrittenToIsNotANumber) {
    if (!reuses_freed_blocks()) GTEST_SKIP() << "the allocator is the sanitizer's";
    lanes::notebook::failures_of("twice") = 0;
    Judge judge(twice);
    judge.begin("a case");
    const Matrix got = lanes::notebook::call_with_guard_blocks(
        judge, 12, [] { return Matrix(Matrix::from_shape({3, 4})); });
    EXPECT_TRUE(std::isnan(got(2, 3)));
}

}  // namespace
