#include "lanes/array/types.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace {

TEST(Types, AreRowMajorArraysOfFloat) {
    static_assert(std::is_same_v<lanes::Matrix::value_type, float>);
    const lanes::Matrix m{{1, 2, 3}, {4, 5, 6}};
    EXPECT_EQ(m.shape(0), 2u);
    EXPECT_EQ(m.shape(1), 3u);
    EXPECT_EQ(m.data()[3], 4);
    EXPECT_EQ(lanes::Vector({1, 2}).dimension(), 1u);
    EXPECT_EQ(lanes::Tensor3::from_shape({2, 3, 4}).size(), 24u);
    EXPECT_EQ(lanes::Tensor4::from_shape({2, 3, 4, 5}).size(), 120u);
}

}  // namespace
