#include "lanes/mlp/sigmoid.hpp"

#include "lanes/array.hpp"

#include <gtest/gtest.h>
#include <xtensor/xarray.hpp>
#include <xtensor/xview.hpp>

#include <limits>

namespace {

using lanes::sigmoid;
using lanes::sigmoid_prime;

TEST(Sigmoid, AgreesWithDoublePrecisionEverywhere) {
    for (double x = -86; x < 86; x += 0.0137) {
        const double e = std::exp(-std::fabs(x)), expected = x < 0 ? e / (1 + e) : 1 / (1 + e),
                     prime = e / ((1 + e) * (1 + e));
        const auto single = static_cast<float>(x);
        const double rounding = std::fabs(x - static_cast<double>(single));  // of the argument
        EXPECT_NEAR(sigmoid(single), expected, (5e-7 + rounding) * expected) << x;
        EXPECT_NEAR(sigmoid_prime(single), prime, (1e-6 + rounding) * prime) << x;
        EXPECT_NEAR(sigmoid(x), expected, 1e-15);
        EXPECT_NEAR(sigmoid_prime(x), prime, 1e-15);
    }
    EXPECT_EQ(sigmoid(0.f), 0.5f);
    EXPECT_EQ(sigmoid_prime(0.f), 0.25f);
}

TEST(Sigmoid, DoesNotOverflowForLargeNumbers) {
    for (const float x : {88.f, 1e3f, 1e30f, std::numeric_limits<float>::infinity()}) {
        EXPECT_EQ(sigmoid(x), 1.f);
        EXPECT_NEAR(sigmoid(-x), 0.f, 1e-37f);
        EXPECT_NEAR(sigmoid_prime(x), 0.f, 1e-37f);
        EXPECT_NEAR(sigmoid_prime(-x), 0.f, 1e-37f);
        EXPECT_EQ(sigmoid(double{x} * 10), 1.0);
        EXPECT_NEAR(sigmoid(double{x} * -10), 0.0, 1e-300);
    }
}

TEST(Sigmoid, OfNanIsNan) {
    // NaNs differ in their lowest bits
    for (const char* bits : {"", "1", "2", "255", "65537", "4194303"}) {
        for (const float nan : {std::nanf(bits), -std::nanf(bits)}) {
            EXPECT_TRUE(std::isnan(sigmoid(nan))) << bits;
            EXPECT_TRUE(std::isnan(sigmoid_prime(nan))) << bits;
            const lanes::Matrix z{{0, nan, 1, nan, 2, nan, 3, nan, 4, nan, 5, nan, 6, nan, 7, nan}};
            const lanes::Matrix a = sigmoid(z), p = sigmoid_prime(z);
            for (std::size_t i = 0; i < z.size(); ++i) {
                EXPECT_EQ(std::isnan(a.data()[i]), i % 2 == 1) << bits;
                EXPECT_EQ(std::isnan(p.data()[i]), i % 2 == 1) << bits;
            }
        }
        EXPECT_TRUE(std::isnan(sigmoid(std::nan(bits))));
        EXPECT_TRUE(std::isnan(sigmoid_prime(std::nan(bits))));
    }
}

TEST(Sigmoid, TakesArraysViewsAndExpressions) {
    const lanes::Matrix z{{-2, 0, 2}, {30, -1000, 1}};
    const lanes::Matrix a = sigmoid(z), p = sigmoid_prime(z);
    for (std::size_t i = 0; i < z.size(); ++i) {
        EXPECT_EQ(a.data()[i], sigmoid(z.data()[i]));
        EXPECT_EQ(p.data()[i], sigmoid_prime(z.data()[i]));
    }
    EXPECT_EQ(lanes::Matrix(sigmoid(z + z)), lanes::Matrix(sigmoid(lanes::Matrix(2 * z))));
    EXPECT_EQ(sigmoid(xt::view(z, 0, xt::all()))(1), 0.5f);
    EXPECT_EQ(sigmoid(xt::xarray<double>{0.0})(0), 0.5);
}

}  // namespace
