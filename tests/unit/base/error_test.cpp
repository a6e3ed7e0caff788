#include "lanes/base/error.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

using lanes_test::error_of;

TEST(Error, MessageIsMadeOfThePartsAndNothingElse) {
    const int images = 3, labels = 4;
    const std::string message = error_of([&] {
        LANES_REQUIRE(images == labels, "create_batches: ", images, " images but ", labels,
                      " labels. Give one label for each image.");
    });
    EXPECT_EQ(message, "create_batches: 3 images but 4 labels. Give one label for each image.");
}

TEST(Error, IsThrownWithItsPartsToo) {
    EXPECT_EQ(error_of([] { throw lanes::Error("fit: ", 0, " epochs. Ask for one."); }),
              "fit: 0 epochs. Ask for one.");
}

TEST(Error, SaysNothingAndLooksAtNoPartWhileTheConditionHolds) {
    int looked = 0;
    LANES_REQUIRE(true, "never: ", ++looked);
    EXPECT_EQ(looked, 0);
}

TEST(Error, StandsWhereAStatementMayStand) {
    bool reached = false;
    if (true)
        LANES_REQUIRE(true, "fine");
    else
        reached = true;
    EXPECT_FALSE(reached);
}

TEST(Error, WritesValuesOfEveryKind) {
    enum class Color : std::uint8_t { red = 7 };
    const std::array<std::size_t, 2> shape{3, 4};
    const std::vector<int> none;
    const std::string text = "text";
    const std::int8_t small = -5;
    EXPECT_EQ(error_of([&] {
                  LANES_REQUIRE(false, shape, none, text, small, ' ', Color::red, true, 0.1f, 1e30,
                                std::nan(""));
              }),
              "(3, 4)()text-5 7true0.11e+30nan");
    EXPECT_EQ(lanes::to_text(-std::nan("")), "nan");
    EXPECT_EQ(lanes::to_text(18446744073709551615ull), "18446744073709551615");
}

TEST(Error, IsARuntimeError) { EXPECT_THROW(throw lanes::Error("x"), std::runtime_error); }

}  // namespace
