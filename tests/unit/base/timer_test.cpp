#include "lanes/base/timer.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace {

using namespace std::chrono_literals;

TEST(Timer, measures_wall_clock_time) {
    lanes::Timer timer;
    std::this_thread::sleep_for(20ms);
    const double seconds = timer.seconds();
    EXPECT_GE(seconds, 0.02);
    EXPECT_LT(seconds, 10);
    EXPECT_GE(timer.milliseconds(), 1e3 * seconds);
}

TEST(Timer, starts_again) {
    lanes::Timer timer;
    std::this_thread::sleep_for(50ms);
    const double before = timer.seconds();
    timer.restart();
    EXPECT_LT(timer.seconds(), before);
}

TEST(BestOf, calls_as_often_as_told_and_takes_the_best_repeat) {
    int calls = 0;
    const double best = lanes::best_of(3, 4, [&] {
        // the first repeat is slow
        if (++calls <= 4) std::this_thread::sleep_for(30ms);
    });
    EXPECT_EQ(calls, 12);
    EXPECT_LT(best, 0.1);
    EXPECT_GE(best, 0);
}

TEST(BestOf, refuses_to_measure_nothing) {
    EXPECT_THROW(lanes::best_of(0, 1, [] {}), lanes::Error);
    EXPECT_THROW(lanes::best_of(1, 0, [] {}), lanes::Error);
}

}  // namespace
