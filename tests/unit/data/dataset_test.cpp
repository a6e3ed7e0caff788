#include "lanes/data/dataset.hpp"

#include "lanes/base/error.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::Dataset;
using lanes::Matrix;

const Dataset three{Matrix{{1, 2}, {3, 4}, {5, 6}}, Matrix{{1, 0}, {0, 1}, {1, 0}}};

TEST(Dataset, GivesAnImageAsASquareMatrix) {
    const Dataset data{Matrix{{1, 2, 3, 4}, {5, 6, 7, 8}}, Matrix{{1, 0}, {0, 1}}};
    EXPECT_EQ(data.image(1), (Matrix{{5, 6}, {7, 8}}));
    EXPECT_THROW(data.image(2), lanes::Error);
    EXPECT_THROW(three.image(0), lanes::Error);  // 2 is not a square number
    EXPECT_EQ(lanes::to_precision<double>(data).image(0)(1, 1), 4.0);
}

TEST(OneHot, PutsOneOneIntoEachRow) {
    EXPECT_EQ(lanes::one_hot({1, 0, 2}, 3), (Matrix{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}));
    EXPECT_EQ(lanes::one_hot<double>({1}, 2)(0, 1), 1.0);
    EXPECT_THROW(lanes::one_hot({3}, 3), lanes::Error);
}

TEST(RowsOf, TakesImagesAndLabelsTogether) {
    const Dataset some = rows_of(three, {2, 0, 2});
    EXPECT_EQ(some.x, (Matrix{{5, 6}, {1, 2}, {5, 6}}));
    EXPECT_EQ(some.y, (Matrix{{1, 0}, {1, 0}, {1, 0}}));
    EXPECT_THROW(rows_of(three, {3}), lanes::Error);
    EXPECT_THROW(rows_of(Dataset{three.x, Matrix{{1, 0}}}, {0}), lanes::Error);
}

TEST(SliceOf, TakesNeighbours) {
    EXPECT_EQ(slice_of(three, 1, 3).x, (Matrix{{3, 4}, {5, 6}}));
    EXPECT_EQ(slice_of(three, 1, 1).size(), 0u);
    EXPECT_THROW(slice_of(three, 2, 1), lanes::Error);
    EXPECT_THROW(slice_of(three, 0, 4), lanes::Error);
}

TEST(ToPrecision, KeepsTheNumbers) {
    const auto doubles = lanes::to_precision<double>(three);
    static_assert(std::is_same_v<decltype(doubles), const lanes::BasicDataset<double>>);
    EXPECT_EQ(doubles.x(2, 1), 6.0);
    EXPECT_EQ(doubles.y(1, 1), 1.0);
}

}  // namespace
