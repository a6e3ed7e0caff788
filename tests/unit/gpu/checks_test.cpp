#include "lanes/gpu/checks.hpp"

#include <gtest/gtest.h>

namespace lanes {
namespace {

TEST(Checks, AllAreOnByDefault) {
    const Checks checks;
    EXPECT_TRUE(checks.bounds && checks.races && checks.uninitialised && checks.counters);
    EXPECT_EQ(checks.schedules, 3);
    EXPECT_TRUE(checks.any());
}

TEST(Checks, OffIsOffButAnEndlessLoopIsStillStopped) {
    const Checks checks = Checks::off();
    EXPECT_FALSE(checks.bounds || checks.races || checks.uninitialised || checks.counters);
    EXPECT_FALSE(checks.any());
    EXPECT_GT(checks.stop_after_seconds, 0);
}

TEST(Checks, AreEqualIfAllOfThemAre) {
    EXPECT_EQ(Checks(), Checks());
    const auto differs = [](auto member, auto value) {
        Checks checks;
        checks.*member = value;
        return checks != Checks();
    };
    EXPECT_TRUE(differs(&Checks::bounds, false));
    EXPECT_TRUE(differs(&Checks::races, false));
    EXPECT_TRUE(differs(&Checks::uninitialised, false));
    EXPECT_TRUE(differs(&Checks::counters, false));
    EXPECT_TRUE(differs(&Checks::schedules, 1));
    EXPECT_TRUE(differs(&Checks::seed, 2));
    EXPECT_TRUE(differs(&Checks::stop_after_seconds, 1));
    EXPECT_TRUE(differs(&Checks::slow_after_seconds, 1));
}

TEST(Checks, OneOfThemIsEnoughToBeAny) {
    for (auto check :
         {&Checks::bounds, &Checks::races, &Checks::uninitialised, &Checks::counters}) {
        Checks checks = Checks::off();
        checks.*check = true;
        EXPECT_TRUE(checks.any());
    }
    Checks schedules = Checks::off();
    schedules.schedules = 2;
    EXPECT_TRUE(schedules.any());
    EXPECT_EQ(Checks::one_schedule().schedules, 1);
    EXPECT_TRUE(Checks::one_schedule().races);
}

}  // namespace
}  // namespace lanes
