#include "mlp/fused/team.hpp"

#include "mlp/fused/barrier.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

namespace {

using lanes::fused::Barrier;
using lanes::fused::Caller;
using lanes::fused::Team;

TEST(Team, RunsATaskOnceOnEachThread) {
    for (const unsigned threads : {1u, 2u, 5u}) {
        Team team(threads);
        std::vector<std::atomic<int>> calls(threads);
        for (int round = 1; round <= 20; ++round) {
            team.run([&](unsigned thread) { ++calls[thread]; });
            for (const auto& count : calls) EXPECT_EQ(count, round);
        }
    }
}

TEST(Team, RunsTasksInTheOrderInWhichTheyWereGiven) {
    constexpr unsigned threads = 3;
    Team team(threads, Caller::does_something_else);
    std::array<std::vector<int>, threads> order;
    for (int task = 0; task < 20; task += 2) {
        for (const int number : {task, task + 1})
            team.give([&order, number](unsigned thread) { order[thread].push_back(number); });
        team.wait();
        team.wait();
        EXPECT_TRUE(team.is_done());
    }
    for (const auto& of_thread : order) {
        ASSERT_EQ(of_thread.size(), 20u);
        for (int task = 0; task < 20; ++task) EXPECT_EQ(of_thread[task], task);
    }
}

TEST(Team, EndsItsThreadsAfterTasksThatNobodyWaitedFor) {
    std::atomic<int> calls{0};
    {
        Team team(2, Caller::does_something_else);
        team.give([&](unsigned) { ++calls; });
        team.give([&](unsigned) { ++calls; });
    }
    EXPECT_EQ(calls, 4);
}

TEST(Barrier, NoThreadPassesBeforeAllHaveArrived) {
    constexpr unsigned threads = 4;
    Barrier barrier(threads);
    std::atomic<unsigned> arrived{0};
    std::atomic<int> too_early{0};
    Team(threads).run([&](unsigned) {
        for (unsigned round = 1; round <= 200; ++round) {
            ++arrived;
            barrier.wait();
            if (arrived < round * threads) ++too_early;
            barrier.wait();
        }
    });
    EXPECT_EQ(too_early, 0);
}

}  // namespace
