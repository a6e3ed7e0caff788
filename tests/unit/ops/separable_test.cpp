#include "lanes/ops/separable.hpp"

#include "error_of.hpp"
#include "lanes/array/compare.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/ops/correlation.hpp"
#include "lanes/ops/sobel.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::Matrix;

TEST(Split, FindsColumnAndRow) {
    for (const Matrix& filter :
         {lanes::sobel_3x3(), lanes::sobel_5x3(), lanes::blur_5x5(), Matrix{{0, 0}, {0, 3}},
          Matrix{{0, 0, 0}}, Matrix{{1.0F / 3, 0.7F}, {1.0F / 9, 0.7F / 3}}}) {
        const auto parts = lanes::split(filter);
        ASSERT_TRUE(parts);
        auto product = Matrix::from_shape(filter.shape());
        for (std::size_t i = 0; i < filter.shape(0); ++i)
            for (std::size_t j = 0; j < filter.shape(1); ++j)
                product(i, j) = parts->first(i, 0) * parts->second(0, j);
        lanes::require_close(product, filter, {1e-6, 1e-5});
    }
}

TEST(Split, RefusesWhatIsNoProduct) {
    EXPECT_FALSE(lanes::split(lanes::sharpen_3x3()));
    EXPECT_FALSE(lanes::split(lanes::ring_3x3()));
    EXPECT_FALSE(lanes::split(lanes::edge_7x7()));
    EXPECT_FALSE(lanes::split(Matrix{{1e-8F, 2e-8F}, {2e-8F, 1e-8F}}));
    EXPECT_EQ(lanes_test::error_of([] { lanes::split(Matrix::from_shape({0, 3})); }),
              "split: a filter of 0x3. Give one with coefficients.");
}

TEST(CorrelationSplit, IsTheCorrelation) {
    auto image = Matrix::from_shape({23, 31});
    lanes::Rng(1).fill_uniform(image.data(), image.size(), 0, 1);
    for (const Matrix* filter : {&lanes::sobel_5x3(), &lanes::blur_5x5(), &lanes::sharpen_3x3()})
        lanes::require_close(lanes::correlation_split(*filter, image),
                             lanes::correlation_plain(*filter, image), {1e-5, 1e-4});
}

}  // namespace
