#include "base/math.hpp"

#include <gtest/gtest.h>

namespace {

TEST(Math, DividesAndRoundsUp) {
    EXPECT_EQ(lanes::ceil_div(0, 4), 0U);
    EXPECT_EQ(lanes::ceil_div(8, 4), 2U);
    EXPECT_EQ(lanes::ceil_div(9, 4), 3U);
    EXPECT_EQ(lanes::round_up(8, 4), 8U);
    EXPECT_EQ(lanes::round_up(9, 4), 12U);
}

}  // namespace
