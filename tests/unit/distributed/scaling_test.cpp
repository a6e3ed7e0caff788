#include "lanes/distributed/scaling.hpp"
#include "lanes/distributed/simulated_ranks.hpp"

#include <gtest/gtest.h>

#include <map>

namespace {

TEST(Scaling, runs_on_1_2_4_and_all_ranks) {
    std::map<int, int> calls;  // by size of the group
    std::vector<std::vector<lanes::Scaling>> rows(6);
    lanes::simulate_ranks(6, [&](const lanes::Communicator& comm) {
        rows[static_cast<std::size_t>(comm.rank())] = lanes::measure_scaling(
            comm, [&](const lanes::Communicator& group) { ++calls[group.all_reduce(1)]; });
    });
    EXPECT_EQ(calls, (std::map<int, int>{{1, 4}, {2, 8}, {4, 16}, {6, 24}}));
    for (const auto& of_rank : rows) {
        ASSERT_EQ(of_rank.size(), 4);
        EXPECT_EQ(of_rank[0].speed_up, 1);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(of_rank[i].ranks, (std::vector<int>{1, 2, 4, 6})[i]);
            EXPECT_EQ(of_rank[i].seconds, rows[0][i].seconds);
            EXPECT_DOUBLE_EQ(of_rank[i].speed_up, rows[0][0].seconds / rows[0][i].seconds);
            EXPECT_DOUBLE_EQ(of_rank[i].efficiency, of_rank[i].speed_up / of_rank[i].ranks);
        }
    }
}

TEST(Scaling, rank_0_prints_the_table) {
    testing::internal::CaptureStdout();
    lanes::simulate_ranks(2, [](const lanes::Communicator& comm) {
        lanes::show_scaling(comm, [](const lanes::Communicator&) {});
    });
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_EQ(text.find("ranks      time  speed-up  efficiency\n    1  "), 0) << text;
    EXPECT_NE(text.find("  1.00 x       100 %\n    2  "), std::string::npos) << text;
}

}  // namespace
