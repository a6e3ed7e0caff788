#include "lanes/ops/sobel.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/base.hpp"
#include "lanes/ops/correlation.hpp"

#include <xtensor/xmath.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using lanes::Matrix;

TEST(SobelOperator, IsTheLengthOfBothResponses) {
    lanes::Rng rng(1);
    auto image = Matrix::from_shape({23, 31});
    rng.fill_uniform(image.data(), image.size(), 0, 1);
    for (const Matrix* filter : {&lanes::sobel_3x3(), &lanes::scharr_3x3(), &lanes::sobel_5x3(),
                                 &lanes::sobel_5x5(), &lanes::ring_3x3()}) {
        const Matrix down = lanes::correlation_plain(*filter, image),
                     across = lanes::correlation_plain(Matrix(xt::transpose(*filter)), image);
        auto expected = Matrix::from_shape(image.shape());
        for (std::size_t i = 0; i < expected.size(); ++i)
            expected.data()[i] = std::hypot(down.data()[i], across.data()[i]);
        lanes::require_close(lanes::sobel_operator(*filter, image), expected, {1e-4, 1e-4});
    }
}

TEST(SobelOperator, SeesAnEdgeAndNothingInAPlane) {
    Matrix image(std::array<std::size_t, 2>{9, 10}, 0.0F);
    for (std::size_t y = 0; y < 9; ++y)
        for (std::size_t x = 5; x < 10; ++x) image(y, x) = 1;
    const Matrix edges = lanes::sobel_operator(lanes::sobel_3x3(), image);
    EXPECT_FLOAT_EQ(edges(4, 4), 4);
    EXPECT_FLOAT_EQ(edges(4, 5), 4);
    EXPECT_FLOAT_EQ(edges(4, 2), 0);
    EXPECT_FLOAT_EQ(edges(4, 7), 0);
}

TEST(SobelFilters, AreThoseOfTheCourse) {
    const auto sum = [](const Matrix& filter) { return xt::sum(filter)(); };
    EXPECT_EQ(sum(lanes::sobel_3x3()), 0);
    EXPECT_EQ(lanes::scharr_3x3()(1, 2), -10);
    EXPECT_EQ(lanes::sobel_5x3().shape(), (std::array<std::size_t, 2>{5, 3}));
    EXPECT_EQ(lanes::sobel_5x5()(3, 0), 2);
    EXPECT_EQ(sum(lanes::ring_3x3()), 8);
    EXPECT_EQ(sum(lanes::sharpen_3x3()), 1);
    EXPECT_FLOAT_EQ(sum(lanes::blur_5x5()), 1);
    EXPECT_FLOAT_EQ(lanes::edge_7x7()(3, 6), 1.0F / 3);    // x = 3, y = 0
    EXPECT_FLOAT_EQ(lanes::edge_7x7()(0, 2), -1.0F / 10);  // x = -1, y = -3
    EXPECT_EQ(lanes::edge_7x7()(0, 3), 0);
}

}  // namespace
