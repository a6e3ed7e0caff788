#include "lanes/lesson/filter_pictures.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

using lanes::Matrix;

template <class F>
std::string printed(F&& show) {
    testing::internal::CaptureStdout();
    show();
    return testing::internal::GetCapturedStdout();
}

TEST(Enlarged, RepeatsPixels) {
    const Matrix image{{1, 2, 3}, {4, 5, 6}};
    const Matrix expected{{2, 2, 3, 3}, {2, 2, 3, 3}, {5, 5, 6, 6}, {5, 5, 6, 6}};
    EXPECT_EQ(lanes::enlarged(image, 0, 1, 2, 2), expected);
    EXPECT_NE(
        lanes_test::error_of([&] { lanes::enlarged(image, 1, 0, 2, 2); }).find("an image of 2x3"),
        std::string::npos);
}

TEST(ShowScaled, RefusesAScaleWithoutContrast) {
    const Matrix image{{1, 2}, {3, 4}};
    EXPECT_NE(printed([&] { lanes::show_scaled({image}, {"four pixels"}, 0, 4); }).find("four"),
              std::string::npos);
    EXPECT_EQ(lanes_test::error_of([&] { lanes::show_scaled({image}, {"a"}, 2, 2); }),
              "show_scaled: 2 is both black and white. Give two different values.");
}

TEST(PlotRow, NamesItsLines) {
    const Matrix image{{1, 2}, {3, 4}};
    EXPECT_NE(printed([&] { lanes::plot_row(1, {"grey"}, {image}); }).find("line grey: 2 points"),
              std::string::npos);
    EXPECT_EQ(lanes_test::error_of([&] { lanes::plot_row(2, {"grey"}, {image}); }),
              "plot_row: row 2 of an image of 2 rows. The first row is 0.");
}

TEST(Drawings, StateTheirNumbers) {
    const Matrix image{{3, 1, 4, 1, 5}, {9, 2, 6, 5, 3}, {5, 8, 9, 7, 9}};
    EXPECT_NE(printed([&] { lanes::draw_zero_padding(image); }).find("first pixel: 15"),
              std::string::npos);
    EXPECT_NE(printed([] { lanes::draw_shifted_row(12, 2); }).find("columns 0 to 9"),
              std::string::npos);
    EXPECT_NE(printed([] { lanes::draw_tile(4, 8); }).find("60 pixels are loaded instead of 288"),
              std::string::npos);
    EXPECT_NE(lanes_test::error_of([] { lanes::draw_tile(40, 8); }).find("40x8"),
              std::string::npos);
}

}  // namespace
