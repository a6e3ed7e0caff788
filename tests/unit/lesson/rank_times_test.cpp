#include "lanes/lesson/rank_times.hpp"

#include "lanes/base/error.hpp"
#include "lanes/distributed/spare_messages.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using lanes::Communicator;
using lanes_test::error_of;

std::string printed(const std::function<void()>& call) {
    testing::internal::CaptureStdout();
    call();
    return testing::internal::GetCapturedStdout();
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(RankTimes, RoundsAreMessagesOneAfterTheOther) {
    const auto in_turn = [](const Communicator& comm, const std::vector<float>& values) {
        std::vector<float> received(values.size());
        if (comm.rank() > 0) comm.receive(received, comm.rank() - 1);
        if (comm.rank() + 1 < comm.size()) comm.send(values, comm.rank() + 1);
        return received;
    };
    const std::string text = printed([&] {
        lanes::ranks::show_rounds({{"in turn", in_turn}, {"exchange", lanes::spare::pass_around}});
    });
    EXPECT_TRUE(holds(text, "64          63           1")) << text;
}

TEST(RankTimes, SumsAreCountedInArrays) {
    double sent = 0;
    const std::string text = printed([&] {
        sent = lanes::ranks::show_sums({{"rank 0", lanes::spare::central_all_reduce},
                                        {"ring", lanes::spare::ring_all_reduce}});
    });
    EXPECT_DOUBLE_EQ(sent, 1.75);
    EXPECT_TRUE(holds(text, "16             15       0.798        1.875       0.078")) << text;
}

TEST(RankTimes, AWrongSumIsReported) {
    const auto nothing = [](const Communicator&, std::vector<float>&) {};
    EXPECT_EQ(error_of([&] { lanes::ranks::show_sums({{"nothing", nothing}}); }),
              "the sum of 2 ones is not 1. Run the check of this answer.");
}

TEST(RankTimes, TheSizeFromWhichTheRingIsFaster) {
    double from = 0;
    const std::string text = printed([&] {
        from = lanes::ranks::show_models(lanes::spare::ring_seconds, lanes::spare::tree_seconds);
    });
    // 126 (a + n / 64 b) = 6 (a + n / b)
    EXPECT_NEAR(from, 120 * 2e-6 * 25e9 / (6 - 126.0 / 64), 0.01 * from);
    EXPECT_TRUE(holds(text, "On 64 ranks the ring is faster from about 1500000 bytes on.")) << text;
    const auto never = [](int, double, double, double) { return 1e9; };
    EXPECT_TRUE(
        holds(printed([&] { lanes::ranks::show_models(never, lanes::spare::tree_seconds); }),
              "is a formula wrong?"));
}

TEST(RankTimes, TheFormulaAgreesWithTheSimulation) {
    const std::string text = printed([] {
        lanes::ranks::show_cluster(lanes::spare::ring_seconds, lanes::spare::ring_all_reduce);
    });
    EXPECT_TRUE(holds(text, "11700000          64        3.938          3.938")) << text;
    EXPECT_TRUE(holds(text, "100000000        1024        36.06          36.06")) << text;
}

TEST(RankTimes, GainsOfBothNetworks) {
    const auto network = lanes::ranks::cluster();
    double last = 0;
    const std::string text =
        printed([&] { last = lanes::ranks::show_gains(network, lanes::spare::training_speed_up); });
    EXPECT_NEAR(last, 26.6, 0.05);  // of the fully connected network on 1,024 GPUs
    EXPECT_TRUE(holds(text, "ResNet-18                 8      6.73 x      84.1 %")) << text;
    EXPECT_TRUE(holds(text, "fully connected        1024      26.6 x      2.59 %")) << text;
    const std::string plot =
        printed([&] { lanes::ranks::draw_gains(network, lanes::spare::training_speed_up); });
    EXPECT_TRUE(holds(plot, "line fully connected: 11 points")) << plot;
}

TEST(RankTimes, MeasuresOnTheRanksOfAProgram) {
    // `slow` pauses for the longer array only: its ratio is that of the last size.
    const auto slow = [](const Communicator& comm, std::vector<float>& values) {
        if (values.size() > 1000) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        comm.all_reduce(values);
    };
    std::vector<double> ratios(2);
    const std::string text = printed([&] {
        lanes::simulate_ranks(2, [&](const Communicator& comm) {
            ratios[static_cast<std::size_t>(comm.rank())] = lanes::ranks::show_sum_times(
                comm, lanes::spare::ping_pong, lanes::spare::ring_seconds, slow, {4000, 40000});
        });
    });
    EXPECT_GT(ratios[0], 2);
    EXPECT_EQ(ratios[0], ratios[1]);
    EXPECT_TRUE(holds(text, "latency ")) << text;
    EXPECT_TRUE(holds(text, "40000 ")) << text;
    EXPECT_EQ(text.find("latency "), text.rfind("latency ")) << text;  // rank 0 alone prints
}

TEST(RankTimes, Laws) {
    const std::string text = printed([] {
        lanes::ranks::draw_laws([](double s, int p) { return 1 / (s + (1 - s) / p); },
                                [](double s, int p) { return s + (1 - s) * p; });
    });
    EXPECT_TRUE(holds(text, "line Gustafson, serial share 0.1: 11 points")) << text;
}

}  // namespace
