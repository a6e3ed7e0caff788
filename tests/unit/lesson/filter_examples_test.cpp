#include "lanes/lesson/filter_examples.hpp"

#include "error_of.hpp"
#include "lanes/array/compare.hpp"
#include "lanes/ops.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using lanes::Matrix;

TEST(FilterExamples, TellRightFromWrongResults) {
    const lanes::FilterExamples examples;
    ASSERT_EQ(examples.filters.size(), examples.results.size());
    testing::internal::CaptureStdout();
    examples.compare("mine", lanes::correlation_plain);
    EXPECT_EQ(testing::internal::GetCapturedStdout(),
              "mine agrees with SciPy for all four filters.\n");
    EXPECT_NE(lanes_test::error_of([&] {
                  examples.compare("a copy", [](const Matrix&, const Matrix& x) { return x; });
              }),
              "");
    testing::internal::CaptureStdout();
    examples.show();
    EXPECT_NE(testing::internal::GetCapturedStdout().find("5x5 blur"), std::string::npos);
}

TEST(EdgeExamples, TellRightFromWrongResults) {
    const lanes::EdgeExamples examples;
    EXPECT_EQ(examples.results.size(), 5);
    examples.compare(0, lanes::sobel_operator(lanes::sobel_3x3(), examples.image));
    examples.compare(4, lanes::correlation_plain(lanes::ring_3x3(), examples.image));
    EXPECT_NE(lanes_test::error_of([&] { examples.compare(0, examples.image); }), "");
    EXPECT_NE(lanes_test::error_of([&] { examples.compare(5, examples.image); }).find("filter 5"),
              std::string::npos);
    EXPECT_GT(examples.cat.size(), 0);
}

TEST(SpareCorrelationSplit, IsACorrelationForEveryFilter) {
    const lanes::FilterExamples examples;
    for (const Matrix& filter : examples.filters)
        lanes::require_close(lanes::spare::correlation_split(filter, examples.image),
                             lanes::correlation_plain(filter, examples.image), {1e-4, 1e-4});
    const Matrix zeros(std::array<std::size_t, 2>{3, 3}, 0.0F);
    lanes::require_close(lanes::spare::correlation_split(zeros, examples.image),
                         lanes::correlation_plain(zeros, examples.image));
}

}  // namespace
