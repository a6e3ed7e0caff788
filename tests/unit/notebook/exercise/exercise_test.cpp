#include "lanes/notebook/exercise.hpp"

#include "lanes/array/types.hpp"
#include "lanes/base/not_filled_in.hpp"
#include "notebook/exercise/guard_blocks.hpp"
#include "notebook/exercise/judge.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

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

TEST(Exercise, show_prints_task_and_size) {
    testing::internal::CaptureStdout();
    lanes::Exercise(twice).show();
    EXPECT_EQ(testing::internal::GetCapturedStdout(),
              "int twice(int x)\nGives 2 x.\nSize of an answer: one line.\n");
}

TEST(Exercise, a_pass_says_how_many_cases) {
    testing::internal::CaptureStdout();
    Judge judge(twice);
    judge.begin("one");
    judge.begin("two");
    judge.pass();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "twice: passed, 2 cases.\n");
}

TEST(Exercise, names_the_first_mismatch_with_both_values) {
    const Matrix expected{{1, 2, 3}, {4, 5, 6}};
    Matrix got = expected;
    got(0, 2) = 3.5F;
    got(1, 0) = 9;
    EXPECT_EQ(compared(got, expected),
              "twice: case 1, a case\n  at (0, 2) expected 3, got 3.5. 2 of 6 elements differ.\n  "
              "x marks what differs:\n     . . x\n     x . .");
    EXPECT_EQ(compared(expected, expected), "passed");
}

TEST(Exercise, shows_the_argument_beside_it) {
    const Values x = values_of(Matrix{{7, 8}});
    About about;
    about.x = &x;
    EXPECT_EQ(compared(Matrix{{14, 17}}, Matrix{{14, 16}}, about),
              "twice: case 1, a case\n  at (0, 1) x is 8, expected 16, got 17. The other elements "
              "are right.\n"
              "  Only the last column is wrong: does the loop reach it?");
}

TEST(Exercise, a_known_mistake_is_named) {
    About about;
    about.known = {{values_of(Matrix{{4, 9}}), "This is the square."}};
    EXPECT_NE(compared(Matrix{{4, 9}}, Matrix{{4, 6}}, about).find("This is the square."),
              std::string::npos);
    EXPECT_EQ(compared(Matrix{{4, 8}}, Matrix{{4, 6}}, about).find("This is the square."),
              std::string::npos);
}

TEST(Exercise, a_nan_and_another_shape_differ) {
    EXPECT_NE(compared(Matrix{{std::nanf(""), 1}}, Matrix{{1, 1}}).find("got nan"),
              std::string::npos);
    EXPECT_NE(compared(Matrix{{1, 2, 3}}, Matrix{{1}, {2}, {3}})
                  .find("the shape is (1, 3), expected (3, 1).\n  Rows and columns are swapped."),
              std::string::npos);
}

TEST(Exercise, the_hint_comes_with_the_second_failure) {
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

TEST(Exercise, what_an_answer_throws_fails_the_check) {
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

TEST(Recognise, what_differences_look_like) {
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

// What a function that writes to places of a new matrix is told; far from the matrix nothing is
// looked at.
std::string fenced(const std::vector<std::ptrdiff_t>& places) {
    lanes::notebook::failures_of("twice") = 0;
    return failure([&] {
        Judge judge(twice);
        judge.begin("a case");
        const Matrix got = lanes::notebook::call_with_guard_blocks(judge, 8, [&] {
            Matrix result = Matrix::from_shape({2, 4});
            float* elements = result.data();
            asm("" : "+r"(elements));  // the compiler shall not know what is out of bounds
            for (const std::ptrdiff_t place : places) elements[place] += 1;
            return result;
        });
        EXPECT_EQ(got.size(), 8U);
    });
}

// Guard blocks lie in memory that glibc's allocator gives out; the sanitizers have their
// own, which keep freed blocks back or put them elsewhere.
constexpr bool has_glibcs_allocator() {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return false;
#endif
#endif
    return true;
}

TEST(Exercise, what_is_written_outside_of_a_result_is_told_by_its_place) {
    if (!has_glibcs_allocator()) GTEST_SKIP() << "the allocator is the sanitizer's";
    EXPECT_EQ(fenced({0, 7}), "passed");
    EXPECT_NE(fenced({8}).find("the last element of 2x4 is (1, 3), and (2, 0) is written."),
              std::string::npos)
        << fenced({8});
    EXPECT_NE(fenced({9}).find("(2, 1) is written"), std::string::npos);
    EXPECT_NE(fenced({10, 11, 12}).find("(2, 2) is written"),
              std::string::npos);  // where the allocator keeps its own words
    EXPECT_NE(fenced({200}).find("(50, 0) is written"), std::string::npos);
    EXPECT_NE(fenced({-1}).find("1 element before (0, 0)"), std::string::npos) << fenced({-1});
    EXPECT_NE(fenced({-5}).find("5 elements before (0, 0)"), std::string::npos);
    EXPECT_EQ(fenced({0, 7}), "passed");  // everything was put right
}

TEST(Exercise, small_results_of_any_size_may_be_written) {
    lanes::notebook::failures_of("twice") = 0;
    Judge judge(twice);
    judge.begin("a case");
    for (std::size_t size = 1; size < 40; ++size) {
        const Matrix got = lanes::notebook::call_with_guard_blocks(
            judge, size, [&] { return Matrix(std::array<std::size_t, 2>{1, size}, 1.0F); });
        EXPECT_EQ(got(0, size - 1), 1.0F);
    }
}

TEST(Exercise, memory_that_nothing_was_written_to_is_not_a_number) {
    if (!has_glibcs_allocator()) GTEST_SKIP() << "the allocator is the sanitizer's";
    lanes::notebook::failures_of("twice") = 0;
    Judge judge(twice);
    judge.begin("a case");
    const Matrix got = lanes::notebook::call_with_guard_blocks(
        judge, 12, [] { return Matrix(Matrix::from_shape({3, 4})); });
    EXPECT_TRUE(std::isnan(got(2, 3)));
}

}  // namespace
