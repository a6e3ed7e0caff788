#include "lanes/base/timer.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

namespace {

using namespace std::chrono_literals;

TEST(Timer, MeasuresWallClockTime) {
    lanes::Timer timer;
    std::this_thread::sleep_for(20ms);
    const double seconds = timer.seconds();
    EXPECT_GE(seconds, 0.02);
    EXPECT_LT(seconds, 10);
    EXPECT_GE(timer.milliseconds(), 1e3 * seconds);
}

TEST(Timer, StartsAgain) {
    lanes::Timer timer;
    std::this_thread::sleep_for(50ms);
    const double before = timer.seconds();
    timer.restart();
    EXPECT_LT(timer.seconds(), before);
}

TEST(BestOf, GivesTheTimePerCallOfTheBestRepeat) {
    int calls = 0;
    const double best = lanes::best_of(3, lanes::Calls{4}, [&] {
        // The first repeat is slow.
        std::this_thread::sleep_for(++calls <= 4 ? 60ms : 1ms);
    });
    EXPECT_EQ(calls, 12);
    EXPECT_LT(best, 0.06);
    EXPECT_GE(best, 0.001);
    EXPECT_GE(lanes::best_of(1, [&] { std::this_thread::sleep_for(1ms); }), 0.001);
}

TEST(BestOf, RefusesToMeasureNothing) {
    EXPECT_THROW(lanes::best_of(0, [] {}), lanes::Error);
    EXPECT_THROW(lanes::best_of(1, lanes::Calls{0}, [] {}), lanes::Error);
}

class Environment : public testing::Test {
protected:
    void SetUp() override {
        for (const char* name : {"CI", "NBGRADER_EXECUTION", "PYTEST_CURRENT_TEST", "LANES_FULL"})
            unsetenv(name);
    }
    void TearDown() override { SetUp(); }
};

TEST_F(Environment, DecidesHowOftenAMeasurementIsRepeated) {
    EXPECT_EQ(lanes::repetitions(20), 20);
    setenv("CI", "1", 1);
    EXPECT_EQ(lanes::repetitions(20), 2);
    EXPECT_EQ(lanes::repetitions(3), 1);
    setenv("LANES_FULL", "1", 1);
    EXPECT_EQ(lanes::repetitions(20), 20);
}

TEST_F(Environment, DecidesHowManyCallsAreTimed) {
    int calls = 0;
    const double seconds = lanes::seconds_per_call(20, [&] {
        ++calls;
        std::this_thread::sleep_for(1ms);
    });
    EXPECT_EQ(calls, 3 * 20);
    EXPECT_GE(seconds, 1e-3);
    setenv("CI", "1", 1);
    calls = 0;
    EXPECT_GE(lanes::seconds_per_call(20,
                                      [&] {
                                          ++calls;
                                          std::this_thread::sleep_for(1ms);
                                      }),
              1e-3);
    EXPECT_EQ(calls, 3 * 2);
}

}  // namespace
