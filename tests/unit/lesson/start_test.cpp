#include "lanes/lesson/start.hpp"

#include "lanes/base/not_filled_in.hpp"

#include "../error_of.hpp"

#include <gtest/gtest.h>

namespace {

using lanes_test::error_of;

namespace spare = lanes::spare;

TEST(SumTimes, AWrongSumIsNotTimed) {
    lanes::SumTimes times(std::vector<float>(1000, 0.5f), 2);
    times.add("one total", spare::one_total, spare::one_total);
    const std::string text = error_of(
        [&] { times.add("wrong", [](const auto&) { return 499.0; }, spare::four_totals); });
    EXPECT_NE(text.find("wrong gives 499, and one total gives 500"), std::string::npos) << text;
}

TEST(SumTimes, AMissingAnswerIsReplacedAndTheTableSaysWhatItMeans) {
    lanes::SumTimes times(std::vector<float>(1000, 0.5f), 2);
    testing::internal::CaptureStdout();
    times.add("one total", spare::one_total, spare::one_total);
    times.add(
        "four totals",
        [](const auto&) -> double { throw lanes::NotFilledIn("Fill in four_totals: six lines."); },
        spare::four_totals);
    times.add("all cores", spare::sum_parallel, spare::sum_parallel);
    times.show();
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_NE(text.find("four_totals is not filled in yet"), std::string::npos) << text;
    EXPECT_NE(text.find("On this machine: four totals"), std::string::npos) << text;
    EXPECT_GT(times.speed_up(2), 0);
    EXPECT_NE(error_of([&] { times.speed_up(3); }), "");
}

TEST(StartSpare, SumsOfAnyLength) {
    for (const std::size_t n : {0, 1, 3, 4, 1003}) {
        const std::vector<float> numbers(n, 0.25f);
        EXPECT_EQ(spare::one_total(numbers), 0.25 * static_cast<double>(n));
        EXPECT_EQ(spare::four_totals(numbers), 0.25 * static_cast<double>(n));
        EXPECT_EQ(spare::sum_parallel(numbers), 0.25 * static_cast<double>(n));
    }
}

TEST(StartSpare, TheBrightestComeFirstAndTiesStayInOrder) {
    const lanes::Dataset set{{{0, 1}, {1, 1}, {0, 0}, {1, 0}}, {{0, 1}, {1, 0}, {0, 1}, {1, 0}}};
    EXPECT_EQ(spare::brightest(set, 3), (std::vector<std::size_t>{1, 0, 3}));
    EXPECT_EQ(spare::brightest(set, 9), (std::vector<std::size_t>{1, 0, 3, 2}));
    EXPECT_EQ(spare::brightness({{0, 1}, {1, 1}}), 0.75);
}

TEST(ShowInk, GivesTheMeanOfEachClass) {
    const lanes::Dataset set{{{0, 0, 0, 0}, {1, 1, 1, 1}, {1, 0, 0, 0}}, {{0, 1}, {1, 0}, {0, 1}}};
    testing::internal::CaptureStdout();
    const auto ink = lanes::show_ink(set, 3, spare::brightness);
    testing::internal::GetCapturedStdout();
    EXPECT_EQ(ink, (std::vector<double>{1, 0.125}));
}

}  // namespace
