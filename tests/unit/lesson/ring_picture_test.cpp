#include "lanes/lesson/ring_picture.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

std::string printed(int ranks) {
    testing::internal::CaptureStdout();
    lanes::draw_ring_all_reduce(ranks);
    return testing::internal::GetCapturedStdout();
}

TEST(RingPicture, SaysHowManyStepsAndThatAllRanksAreAdded) {
    EXPECT_NE(
        printed(4).find("4 ranks: 3 steps that add, 3 that copy; at the end each part of each "
                        "rank holds the values of 0123"),
        std::string::npos);
    EXPECT_NE(printed(2).find("2 ranks: 1 steps that add"), std::string::npos);
}

TEST(RingPicture, RefusesWhatDoesNotFit) {
    EXPECT_EQ(lanes_test::error_of([] { lanes::draw_ring_all_reduce(1); }),
              "draw_ring_all_reduce: 1 ranks. The picture has room for 2 to 5.");
}

}  // namespace
