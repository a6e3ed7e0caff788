#include "lanes/array/compare.hpp"

#include "lanes/array/types.hpp"

#include <gtest/gtest.h>
#include <xtensor/xarray.hpp>
#include <xtensor/xview.hpp>

#include <limits>

namespace {

using lanes::all_close;
using lanes::Matrix;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(AllClose, EqualArraysAreClose) {
    const Matrix a{{1, 2}, {3, 4}};
    const auto result = all_close(a, a);
    EXPECT_TRUE(result);
    EXPECT_EQ(result.differing, 0u);
}

TEST(AllClose, ReportsTheWorstIndexWithBothValues) {
    const Matrix expected{{1, 2, 3}, {4, 5, 6}};
    Matrix actual = expected;
    actual(0, 2) = 3.1f;
    actual(1, 0) = 9;
    actual(1, 2) = 6.1f;
    const auto result = all_close(actual, expected);
    EXPECT_FALSE(result);
    EXPECT_EQ(result.differing, 3u);
    EXPECT_EQ(result.worst, (std::vector<std::size_t>{1, 0}));
    EXPECT_EQ(result.actual, 9);
    EXPECT_EQ(result.expected, 4);
    EXPECT_EQ(result.message,
              "all_close: 3 of 6 elements differ, worst at (1, 0): 9 against the expected 4 "
              "(allowed: absolute 1e-06, relative 1e-05).");
}

TEST(AllClose, WorstIsMeasuredAgainstWhatIsAllowed) {
    // 1 of 1000 is within 1 %, 0.5 of 1 is not.
    const auto result = all_close(lanes::Vector{1001, 1.5f}, lanes::Vector{1000, 1}, {0, 0.01});
    EXPECT_EQ(result.differing, 1u);
    EXPECT_EQ(result.worst, std::vector<std::size_t>{1});
}

TEST(AllClose, AbsoluteAndRelativeToleranceAddUp) {
    const lanes::Vector expected{100};
    EXPECT_TRUE(all_close(lanes::Vector{102}, expected, {1, 0.01}));
    EXPECT_FALSE(all_close(lanes::Vector{102.5f}, expected, {1, 0.01}));
    EXPECT_FALSE(all_close(lanes::Vector{102}, expected, {1, 0}));
    EXPECT_TRUE(all_close(lanes::Vector{100}, expected, {0, 0}));
    EXPECT_FALSE(all_close(lanes::Vector{100.001f}, expected, {0, 0}));
    EXPECT_THROW(all_close(expected, expected, {-1, 0}), lanes::Error);
    EXPECT_THROW(all_close(expected, expected, {0, nan}), lanes::Error);
}

TEST(AllClose, ANanIsCloseToNothingUnlessToldSo) {
    const lanes::Vector a{1, nan}, b{1, 2};
    const auto result = all_close(a, b);
    EXPECT_FALSE(result);
    EXPECT_EQ(result.worst, std::vector<std::size_t>{1});
    EXPECT_NE(result.message.find("nan against the expected 2"), std::string::npos)
        << result.message;
    EXPECT_FALSE(all_close(b, a));
    EXPECT_FALSE(all_close(a, a));
    lanes::Tolerance same_nan;
    same_nan.nan_equals_nan = true;
    EXPECT_TRUE(all_close(a, a, same_nan));
    EXPECT_FALSE(all_close(a, b, same_nan));
}

TEST(AllClose, InfinitiesMustBeEqual) {
    EXPECT_TRUE(all_close(lanes::Vector{infinity}, lanes::Vector{infinity}));
    EXPECT_FALSE(all_close(lanes::Vector{infinity}, lanes::Vector{-infinity}));
    EXPECT_FALSE(all_close(lanes::Vector{1}, lanes::Vector{infinity}));
    EXPECT_FALSE(all_close(lanes::Vector{infinity}, lanes::Vector{1}));
}

TEST(AllClose, ShapesMustBeEqual) {
    const auto result = all_close(Matrix::from_shape({3, 4}), Matrix::from_shape({4, 3}));
    EXPECT_FALSE(result);
    EXPECT_EQ(result.message, "all_close: shape (3, 4) against the expected (4, 3).");
    const auto fewer_axes = all_close(lanes::Vector{1}, Matrix{{1}});
    EXPECT_EQ(fewer_axes.message, "all_close: shape (1) against the expected (1, 1).");
}

TEST(AllClose, EmptyArraysAreClose) {
    const auto result = all_close(Matrix::from_shape({0, 3}), Matrix::from_shape({0, 3}));
    EXPECT_TRUE(result);
    EXPECT_TRUE(result.worst.empty());
}

TEST(AllClose, TakesExpressionsViewsIntegersAndAnyLayout) {
    const Matrix a{{1, 2}, {3, 4}};
    EXPECT_TRUE(all_close(a + a, 2 * a));
    EXPECT_TRUE(all_close(xt::view(a, 1, xt::all()), lanes::Vector{3, 4}));
    const xt::xarray<int> whole{{1, 2}, {3, 4}};
    EXPECT_TRUE(all_close(whole, a));
    const xt::xtensor<float, 2, xt::layout_type::column_major> columns{{1, 2}, {3, 4}};
    EXPECT_TRUE(all_close(columns, a));
}

TEST(RequireClose, ThrowsTheMessage) {
    EXPECT_NO_THROW(lanes::require_close(lanes::Vector{1}, lanes::Vector{1}));
    try {
        lanes::require_close(lanes::Vector{1}, lanes::Vector{2});
        FAIL();
    } catch (const lanes::Error& error) {
        EXPECT_NE(std::string(error.what()).find("1 of 1 elements differ"), std::string::npos);
    }
}

}  // namespace
