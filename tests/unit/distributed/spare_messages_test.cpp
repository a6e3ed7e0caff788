#include "lanes/distributed/spare_messages.hpp"

#include "lanes/distributed/simulated_ranks.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace {

using lanes::Communicator;
using Vector = std::vector<float>;

// Rank r brings count values r + 1, r + 2, …
std::vector<Vector> played(int ranks, std::size_t count,
                           const std::function<void(const Communicator&, Vector&)>& program) {
    std::vector<Vector> values;
    for (int rank = 0; rank < ranks; ++rank) {
        values.emplace_back(count);
        for (std::size_t i = 0; i < count; ++i)
            values.back()[i] = static_cast<float>(rank + 1) + static_cast<float>(i);
    }
    lanes::simulate_ranks(ranks, [&](const Communicator& comm) {
        program(comm, values[static_cast<std::size_t>(comm.rank())]);
    });
    return values;
}

Vector sum_of(int ranks, std::size_t count) {
    Vector sum(count);
    for (std::size_t i = 0; i < count; ++i)
        sum[i] = static_cast<float>(ranks * (ranks + 1) / 2) +
                 static_cast<float>(ranks) * static_cast<float>(i);
    return sum;
}

TEST(SpareMessages, BothSumsAreOnAllRanks) {
    for (const int ranks : {1, 2, 5})
        for (const std::size_t count : {0U, 3U, 12U}) {
            const std::vector<Vector> right(static_cast<std::size_t>(ranks), sum_of(ranks, count));
            EXPECT_EQ(played(ranks, count, lanes::spare::central_all_reduce), right);
            EXPECT_EQ(played(ranks, count, lanes::spare::ring_all_reduce), right);
        }
}

TEST(SpareMessages, AfterTheFirstHalfEachRankHasOnePart) {
    const std::vector<Vector> got = played(3, 6, lanes::spare::reduce_scatter);
    const Vector sum = sum_of(3, 6);
    for (std::size_t rank = 0; rank < 3; ++rank)
        for (std::size_t i = 0; i < 6; ++i)
            EXPECT_EQ(got[rank][i] == sum[i], i / 2 == (rank + 1) % 3) << rank << " " << i;
}

TEST(SpareMessages, ValuesGoAroundAndToAndFro) {
    const auto pass = [](const Communicator& comm, Vector& values) {
        values = lanes::spare::pass_around(comm, values);
    };
    EXPECT_EQ(played(3, 1, pass), (std::vector<Vector>{{3}, {1}, {2}}));
    EXPECT_EQ(played(1, 1, pass), (std::vector<Vector>{{1}}));
    const auto ping = [](const Communicator& comm, Vector& values) {
        lanes::spare::ping_pong(comm, values, 4);
    };
    EXPECT_EQ(played(3, 1, ping), (std::vector<Vector>{{1}, {1}, {3}}));
}

TEST(SpareMessages, TheFormulasAgreeWithTheSimulation) {
    const lanes::SimulatedNetwork network{1e-3, 1e6};
    for (const int ranks : {1, 2, 8}) {
        const lanes::SimulatedRun run = lanes::simulate_ranks(
            ranks,
            [](const Communicator& comm) {
                Vector values(800);
                lanes::spare::ring_all_reduce(comm, values);
            },
            network);
        EXPECT_NEAR(lanes::spare::ring_seconds(ranks, 3200, 1e-3, 1e6), run.seconds, 1e-9);
    }
    EXPECT_DOUBLE_EQ(lanes::spare::tree_seconds(1, 3200, 1e-3, 1e6), 0);
    EXPECT_DOUBLE_EQ(lanes::spare::tree_seconds(5, 3000, 1e-3, 1e6), 3 * 4e-3);
    EXPECT_DOUBLE_EQ(lanes::spare::training_speed_up(1, 2, 1e9, 1, 1), 1);
    EXPECT_DOUBLE_EQ(lanes::spare::training_speed_up(4, 2, 0, 0.5, 1), 4 * 2.0 / 5);
}

}  // namespace
