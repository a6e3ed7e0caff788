#include "lanes/distributed/measure_network.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using lanes::Communicator;

TEST(MeasureNetwork, AllRanksGetTheSameTwoNumbers) {
    std::vector<lanes::SimulatedNetwork> measured(3);
    const lanes::SimulatedRun run = lanes::simulate_ranks(3, [&](const Communicator& comm) {
        measured[static_cast<std::size_t>(comm.rank())] = lanes::measure_network(comm);
    });
    for (const lanes::SimulatedNetwork& network : measured) {
        EXPECT_GT(network.latency, 0);
        EXPECT_LT(network.latency, 1);
        EXPECT_GT(network.bandwidth, 1e6);
        EXPECT_EQ(network.latency, measured[0].latency);
        EXPECT_EQ(network.bandwidth, measured[0].bandwidth);
    }
    // Rank 2 waits, ranks 0 and 1 send the same messages.
    EXPECT_EQ(run.ranks[2].messages_sent, 0U);
    EXPECT_EQ(run.ranks[0].messages_sent, 1020U);
    EXPECT_EQ(run.ranks[1].bytes_sent, run.ranks[0].bytes_sent);
}

TEST(MeasureNetwork, TakesTheGivenPingPong) {
    std::vector<int> rounds(2, 0);
    std::vector<std::size_t> largest(2, 0);
    lanes::simulate_ranks(2, [&](const Communicator& comm) {
        const auto rank = static_cast<std::size_t>(comm.rank());
        const auto count = [&](const Communicator&, std::vector<float>& message, int times) {
            rounds[rank] += times;
            largest[rank] = std::max(largest[rank], message.size());
        };
        lanes::measure_network(comm, count);
    });
    EXPECT_EQ(rounds, std::vector<int>(2, 1020));
    EXPECT_EQ(largest, std::vector<std::size_t>(2, 1 << 20));
}

TEST(MeasureNetwork, NeedsTwoRanks) {
    EXPECT_EQ(lanes_test::error_of([] {
                  lanes::simulate_ranks(
                      1, [](const Communicator& comm) { lanes::measure_network(comm); });
              }),
              "measure_network: there is one rank, a message needs two. Start the program with "
              "mpirun -n 2.");
}

}  // namespace
