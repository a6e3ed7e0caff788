#include "lanes/lesson/edge_filters.hpp"

#include "lanes/ops/correlation.hpp"
#include "lanes/ops/sobel.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using lanes::Matrix;

lanes::EdgeFilters study() {
    return {{"F1", "F3"},
            {lanes::sobel_3x3(), lanes::sobel_5x3()},
            [](const Matrix& filter, const Matrix& image) {
                return lanes::correlation_plain(filter, image);
            }};
}

TEST(EdgeFilters, PeakIsTheResponseToAStep) {
    EXPECT_FLOAT_EQ(study().peak(0), 4);
    EXPECT_FLOAT_EQ(study().peak(1), 7);
}

TEST(EdgeFilters, TableHoldsPeakNoiseAndIsotropy) {
    testing::internal::CaptureStdout();
    study().show_table();
    const std::string text = testing::internal::GetCapturedStdout();
    for (const char* value : {"0.87", "0.98", "1.2", "0.67", "0.73"})  // sqrt(12) / 4 = 0.87
        EXPECT_NE(text.find(value), std::string::npos) << value << " is not in\n" << text;
}

TEST(EdgeFilters, PlotsHaveALinePerFilter) {
    testing::internal::CaptureStdout();
    study().show_step();
    study().show_impulse();
    study().show_directions();
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_NE(text.find("line F3: 11 points"), std::string::npos) << text;
    EXPECT_NE(text.find("line F3: 19 points"), std::string::npos) << text;
    EXPECT_NE(text.find("F1, divided by 4"), std::string::npos) << text;
}

}  // namespace
