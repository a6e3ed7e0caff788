#include "notebook/axis.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::notebook::Axis;
using lanes::notebook::AxisWishes;
using lanes::notebook::fixed_axis;
using lanes::notebook::make_axis;

std::string labels(const Axis& axis) {
    std::string text;
    for (const auto& tick : axis.ticks) text += (text.empty() ? "" : " ") + tick.label;
    return text;
}

AxisWishes wishes(bool log = false, bool tight = false, std::size_t ticks = 6) {
    AxisWishes made;
    made.log = log, made.tight = tight, made.ticks = ticks;
    return made;
}

TEST(Axis, EndsAtNiceNumbers) {
    const Axis axis = make_axis(91.4, 96.7, wishes());
    EXPECT_EQ(axis.low, 91);
    EXPECT_EQ(axis.high, 97);
    EXPECT_EQ(labels(axis), "91 92 93 94 95 96 97");
}

TEST(Axis, LabelsHaveTheDigitsOfTheStep) {
    EXPECT_EQ(labels(make_axis(0, 1, wishes())), "0.0 0.2 0.4 0.6 0.8 1.0");
    EXPECT_EQ(labels(make_axis(-0.02, 0.03, wishes())), "-0.02 -0.01 0.00 0.01 0.02 0.03");
    EXPECT_EQ(labels(make_axis(0, 1234567, wishes())), "0 500,000 1,000,000 1,500,000");
    EXPECT_EQ(labels(make_axis(0, 3e9, wishes())),
              "0 0.5×10⁹ 1.0×10⁹ 1.5×10⁹ 2.0×10⁹ 2.5×10⁹ 3.0×10⁹");
    EXPECT_EQ(labels(make_axis(0, 2e-7, wishes())), "0 0.5×10⁻⁷ 1.0×10⁻⁷ 1.5×10⁻⁷ 2.0×10⁻⁷");
}

TEST(Axis, WholeNumbersHaveNothingBetweenThem) {
    AxisWishes whole = wishes(false, true);
    whole.whole_numbers = true;
    EXPECT_EQ(labels(make_axis(1, 3, whole)), "1 2 3");
}

TEST(Axis, OneValueIsInTheMiddle) {
    const Axis axis = make_axis(5, 5, wishes(false, true));
    EXPECT_NEAR(axis.place(5), 0.5, 1e-9);
    EXPECT_GE(axis.ticks.size(), 2U);
    EXPECT_NEAR(make_axis(0, 0, wishes()).place(0), 0.5, 1e-9);
    EXPECT_NEAR(make_axis(8, 8, wishes(true, true)).place(8), 0.5, 1e-9);
}

TEST(Axis, LogarithmicTicksArePowersOfTen) {
    EXPECT_EQ(labels(make_axis(1.2, 150, wishes(true))), "1 2 5 10 20 50 100 200");
    EXPECT_EQ(labels(make_axis(0.001, 1000, wishes(true))), "0.001 0.01 0.1 1 10 100 1,000");
    EXPECT_EQ(labels(make_axis(1e-9, 1e3, wishes(true))), "10⁻⁸ 10⁻⁶ 10⁻⁴ 10⁻² 10⁰ 10²");
}

TEST(Axis, LogarithmicTicksMayBePowersOfTwo) {
    AxisWishes two = wishes(true, true);
    two.powers_of_two = true;
    EXPECT_EQ(labels(make_axis(1, 16, two)), "1 2 4 8 16");
    EXPECT_EQ(labels(make_axis(0.25, 4, two)), "0.25 0.5 1 2 4");
}

TEST(Axis, ANarrowLogarithmicAxisHasTicksToo) {
    EXPECT_GE(fixed_axis(3.1, 3.9, wishes(true)).ticks.size(), 2U);
}

TEST(Axis, PlacesAreBetweenTheEnds) {
    const Axis linear = fixed_axis(10, 20, wishes()), log = fixed_axis(1, 100, wishes(true));
    EXPECT_DOUBLE_EQ(linear.place(10), 0);
    EXPECT_DOUBLE_EQ(linear.place(12.5), 0.25);
    EXPECT_DOUBLE_EQ(log.place(10), 0.5);
    EXPECT_DOUBLE_EQ(log.place(100), 1);
}

}  // namespace
