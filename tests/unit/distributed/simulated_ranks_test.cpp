#include "lanes/distributed/simulated_ranks.hpp"

#include "error_of.hpp"

#include "lanes/distributed/ring_all_reduce.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace lanes {
namespace {

using lanes_test::error_of;

std::string deadlock_of(int ranks, const std::function<void(const Communicator&)>& program) {
    return error_of([&] { simulate_ranks(ranks, program); });
}

#define EXPECT_HOLDS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(SimulatedRanks, MessagesArriveInOrderByRankAndTag) {
    simulate_ranks(3, [](const Communicator& comm) {
        EXPECT_EQ(comm.size(), 3);
        if (comm.rank() == 0) {
            const int tagged = 1;
            Request sending = comm.start_send(tagged, 2, 5);
            comm.send(2, 2);
            comm.send(3, 2);
        }
        if (comm.rank() == 1) comm.send(std::vector<double>{4, 5}, 2);
        if (comm.rank() != 2) return;
        std::vector<double> pair(2);
        int first = 0, second = 0, tagged = 0;
        EXPECT_EQ(comm.receive(pair, 1), 1);
        EXPECT_EQ(comm.receive(first), 0);
        comm.receive(second, 0);
        comm.receive(tagged, 0, 5);
        EXPECT_EQ(pair, (std::vector<double>{4, 5}));
        EXPECT_EQ((std::vector<int>{tagged, first, second}), (std::vector<int>{1, 2, 3}));
    });
}

TEST(SimulatedRanks, CollectiveOperationsGiveWhatMpiGives) {
    for (const int ranks : {1, 2, 5})
        simulate_ranks(ranks, [ranks](const Communicator& comm) {
            std::vector<float> values{1, static_cast<float>(comm.rank())};
            comm.all_reduce(values);
            EXPECT_EQ(values[0], ranks);
            EXPECT_EQ(values[1], ranks * (ranks - 1) / 2);
            EXPECT_EQ(comm.all_reduce(comm.rank(), Reduce::max), ranks - 1);
            EXPECT_EQ(comm.all_reduce(comm.rank() + 1.0, Reduce::min), 1);
            EXPECT_EQ(comm.all_reduce(std::int64_t{2}, Reduce::product), 1 << ranks);
            Request summing = comm.start_all_reduce(values);
            int root = comm.rank();
            comm.broadcast(root, ranks - 1);
            EXPECT_EQ(root, ranks - 1);
            summing.wait();
            EXPECT_EQ(values[0], ranks * ranks);
            const std::vector<int> all = comm.gather(10 * comm.rank(), ranks / 2);
            EXPECT_EQ(all.size(), comm.rank() == ranks / 2 ? static_cast<std::size_t>(ranks) : 0U);
            if (!all.empty()) EXPECT_EQ(all.back(), 10 * (ranks - 1));
            comm.barrier();
            const Communicator part = comm.split(comm.rank() % 2);
            EXPECT_EQ(part.rank(), comm.rank() / 2);
            EXPECT_EQ(part.all_reduce(1), part.size());
        });
}

TEST(SimulatedRanks, TheRingSendsWhatTheTextbookSays) {
    const std::size_t count = 12'000;
    for (const int ranks : {2, 3, 8}) {
        const SimulatedRun run = simulate_ranks(
            ranks,
            [&](const Communicator& comm) {
                std::vector<float> values(count), expected(count);
                std::iota(values.begin(), values.end(), static_cast<float>(comm.rank()));
                expected = values;
                comm.all_reduce(expected);
                ring_all_reduce(comm, values);
                EXPECT_EQ(values, expected);
            },
            {0, 1e6});
        EXPECT_EQ(run.most_bytes_sent(), 2 * (static_cast<std::size_t>(ranks) - 1) * count * 4 /
                                             static_cast<std::size_t>(ranks));
        // Twice that: once for the ring, once for all_reduce, whose best method it is.
        EXPECT_NEAR(run.seconds, 2 * static_cast<double>(run.most_bytes_sent()) / 1e6, 1e-3);
    }
}

TEST(SimulatedRanks, TimeIsLatencyAndBytes) {
    const SimulatedNetwork network{0.5, 100};
    const auto seconds = [&](const std::function<void(const Communicator&)>& program) {
        return simulate_ranks(3, program, network).seconds;
    };
    const std::vector<char> bytes(200);
    EXPECT_DOUBLE_EQ(seconds([&](const Communicator& comm) {  // from rank to rank
                         std::vector<char> got(200);
                         if (comm.rank() > 0) comm.receive(got, comm.rank() - 1);
                         if (comm.rank() < 2) comm.send(got, comm.rank() + 1);
                     }),
                     2 * 2.5);
    EXPECT_DOUBLE_EQ(seconds([&](const Communicator& comm) {  // all at the same time
                         std::vector<char> got(200);
                         comm.exchange(bytes, (comm.rank() + 1) % 3, got, (comm.rank() + 2) % 3);
                     }),
                     2.5);
    EXPECT_DOUBLE_EQ(seconds([&](const Communicator& comm) {  // one receives one after the other
                         std::vector<char> got(200);
                         if (comm.rank() == 0) comm.receive(got), comm.receive(got);
                         if (comm.rank() != 0) comm.send(bytes, 0);
                     }),
                     2 * 2.5);
}

TEST(SimulatedRanks, ADeadlockNamesWhatEachRankWaitsFor) {
    const std::string sends = deadlock_of(2, [](const Communicator& comm) {
        std::vector<float> values(10);
        comm.send(values, 1 - comm.rank());
        comm.receive(values, 1 - comm.rank());
    });
    EXPECT_EQ(sends,
              "simulate_ranks: the ranks wait forever.\n"
              "  rank 0 waits in send to rank 1 (40 bytes)\n"
              "  rank 1 waits in send to rank 0 (40 bytes)\n"
              "send returns when the other rank receives: let one of two ranks receive first, or "
              "use exchange.");
    const std::string mixed = deadlock_of(3, [](const Communicator& comm) {
        int value = 0;
        if (comm.rank() == 0) comm.receive(value, 1, 4);
        if (comm.rank() == 1) comm.barrier();
    });
    EXPECT_HOLDS(mixed, "rank 0 waits in receive from rank 1 (4 bytes, tag 4)");
    EXPECT_HOLDS(mixed, "rank 1 waits in barrier");
    EXPECT_HOLDS(mixed, "rank 2 has ended");
    EXPECT_HOLDS(deadlock_of(100,
                             [](const Communicator& comm) {
                                 if (comm.rank() > 0) comm.barrier();
                             }),
                 "and 92 more");
}

TEST(SimulatedRanks, AMessageThatNobodyReceivesIsADeadlock) {
    const std::string text = deadlock_of(2, [](const Communicator& comm) {
        const int value = 7;
        if (comm.rank() == 0) comm.start_send(value, 1).wait();
    });
    EXPECT_HOLDS(text, "rank 0 waits in start_send to rank 1 (4 bytes)");
    EXPECT_HOLDS(text, "rank 1 has ended");
}

TEST(SimulatedRanks, MistakesOfMessagesAreErrors) {
    EXPECT_HOLDS(deadlock_of(2,
                             [](const Communicator& comm) {
                                 std::vector<float> values(comm.rank() == 0 ? 3U : 2U);
                                 if (comm.rank() == 0) comm.send(values, 1);
                                 if (comm.rank() == 1) comm.receive(values, 0);
                             }),
                 "rank 0 has sent 12 bytes, rank 1 expects 8, which are 2 elements");
    EXPECT_HOLDS(deadlock_of(2,
                             [](const Communicator& comm) {
                                 std::vector<int> values(3);
                                 if (comm.rank() == 0) comm.send(std::vector<float>(3), 1);
                                 if (comm.rank() == 1) comm.receive(values, 0);
                             }),
                 "rank 0 has sent numbers of the type float, rank 1 expects int");
    EXPECT_HOLDS(deadlock_of(2,
                             [](const Communicator& comm) {
                                 std::vector<float> values(3);
                                 if (comm.rank() == 1)
                                     return comm.barrier(), void(comm.receive(values, 0));
                                 Request sending = comm.start_send(values, 1);
                                 values[2] = 1;
                                 comm.barrier();
                                 sending.wait();
                             }),
                 "were changed before they had been sent. Call wait() first");
    EXPECT_HOLDS(deadlock_of(2,
                             [](const Communicator& comm) {
                                 int value = 0;
                                 if (comm.rank() == 0) comm.barrier();
                                 if (comm.rank() == 1) comm.broadcast(value, 1);
                             }),
                 "rank 1 calls broadcast with the root 1 where rank 0 calls barrier");
    EXPECT_HOLDS(deadlock_of(2,
                             [](const Communicator& comm) {
                                 std::vector<float> values(comm.rank() + 1U);
                                 comm.all_reduce(values);
                             }),
                 "rank 1 brings 8 bytes, rank 0 brings 4");
    EXPECT_HOLDS(deadlock_of(2,
                             [](const Communicator& comm) {
                                 if (comm.rank() == 0) comm.all_reduce(1.5);
                                 if (comm.rank() == 1) comm.all_reduce(std::int64_t{1});
                             }),
                 "rank 1 brings the type long, rank 0 brings double");
    EXPECT_HOLDS(deadlock_of(2, [](const Communicator& comm) { comm.send(1, 2); }),
                 "there is no rank 2");
}

TEST(SimulatedRanks, AnExceptionEndsAllRanks) {
    EXPECT_THROW(simulate_ranks(3,
                                [](const Communicator& comm) {
                                    if (comm.rank() == 1) throw std::domain_error("rank 1");
                                    comm.barrier();
                                }),
                 std::domain_error);
    EXPECT_HOLDS(error_of([] { simulate_ranks(0, [](const Communicator&) {}); }), "0 ranks");
    EXPECT_HOLDS(error_of([] { simulate_ranks(2, [](const Communicator&) {}, {0, 0}); }),
                 "bandwidth of 0");
}

TEST(SimulatedRanks, HundredsOfRanksGoRound) {
    const SimulatedRun run = simulate_ranks(300, [](const Communicator& comm) {
        int value = comm.rank();
        for (int step = 0; step < 3; ++step) {
            int got = 0;
            comm.exchange(value, (comm.rank() + 1) % 300, got, (comm.rank() + 299) % 300);
            value = got;
        }
        EXPECT_EQ(value, (comm.rank() + 297) % 300);
    });
    EXPECT_EQ(run.ranks[7].messages_sent, 3U);
}

}  // namespace
}  // namespace lanes
