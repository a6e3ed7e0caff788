#include "gpu/simulator/check/access/traffic.hpp"

#include <gtest/gtest.h>

namespace lanes::gpu::simulator {
namespace {

// Each lane of one warp accesses where(lane), once, at instruction 1.
template <class Where>
RequestCounter one_request(Traffic kind, unsigned bytes, Where where, std::uint32_t lanes = 32) {
    RequestCounter counter;
    counter.block_begins(lanes, true);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        counter.thread_runs(lane);
        counter.access(1, kind, nullptr, where(lane), bytes, 4);
        counter.thread_returned(lane);
    }
    counter.segment_ends();
    return counter;
}

std::uint64_t sectors(unsigned bytes, std::uint64_t stride, std::uint64_t first = 0) {
    const RequestCounter counter = one_request(
        Traffic::global_load, bytes, [=](std::uint64_t lane) { return first + lane * stride; });
    EXPECT_EQ(counter.counted().global_load_requests, 1u);
    EXPECT_EQ(counter.accesses(Traffic::global_load), 32u);
    return counter.counted().global_load_sectors;
}

TEST(Traffic, SectorsOfARequest) {
    EXPECT_EQ(sectors(4, 4), 4u);
    EXPECT_EQ(sectors(4, 4, 4), 5u) << "not aligned";
    EXPECT_EQ(sectors(4, 0), 1u) << "all the same";
    EXPECT_EQ(sectors(4, 8), 8u);
    EXPECT_EQ(sectors(4, 4096), 32u);
    EXPECT_EQ(sectors(16, 16), 16u);
    EXPECT_EQ(sectors(1, 1), 1u);
}

TEST(Traffic, SectorsInAnyOrderOfLanes) {
    const auto scattered = [](std::uint64_t lane) { return (lane * 5 % 32) * 64; };
    EXPECT_EQ(one_request(Traffic::global_store, 4, scattered).counted().global_store_sectors, 32u);
    const auto backwards = [](std::uint64_t lane) { return (31 - lane) * 4; };
    EXPECT_EQ(one_request(Traffic::global_store, 4, backwards).counted().global_store_sectors, 4u);
    const auto two = [](std::uint64_t lane) { return (lane % 2) * 1024; };
    EXPECT_EQ(one_request(Traffic::global_store, 4, two).counted().global_store_sectors, 2u);
    const auto seven = [](std::uint64_t lane) { return (lane % 7) * 1024; };
    EXPECT_EQ(one_request(Traffic::global_store, 4, seven).counted().global_store_sectors, 7u);
}

std::uint64_t conflicts(unsigned bytes, std::uint64_t stride) {
    const RequestCounter counter =
        one_request(Traffic::shared_load, bytes, [=](std::uint64_t lane) { return lane * stride; });
    EXPECT_EQ(counter.counted().shared_load_requests, 1u);
    return counter.counted().shared_bank_conflicts;
}

TEST(Traffic, BankConflicts) {
    EXPECT_EQ(conflicts(4, 4), 0u);
    EXPECT_EQ(conflicts(4, 0), 0u) << "one word for all";
    EXPECT_EQ(conflicts(4, 8), 1u);
    EXPECT_EQ(conflicts(4, 128), 31u) << "a column of a 32x32 tile";
    EXPECT_EQ(conflicts(4, 132), 0u) << "the same, one column more";
    EXPECT_EQ(conflicts(8, 8), 0u) << "two halves";
    EXPECT_EQ(conflicts(16, 16), 0u) << "four quarters";
    EXPECT_EQ(conflicts(8, 128), 2u * 15) << "16 rows in each half";
}

TEST(Traffic, RequestsOfALoopAreToldApart) {
    RequestCounter counter;
    counter.block_begins(64, true);
    for (std::uint32_t thread = 0; thread < 64; ++thread) {
        counter.thread_runs(thread);
        for (std::uint64_t i = 0; i < 3; ++i)
            counter.access(2, Traffic::global_load, nullptr, i * 4096 + thread * 4, 4, 4);
        counter.thread_returned(thread);
    }
    counter.segment_ends();
    EXPECT_EQ(counter.counted().global_load_requests, 2u * 3);
    EXPECT_EQ(counter.counted().global_load_sectors, 2u * 3 * 4);
}

TEST(Traffic, LanesInterleavedByABarrierCountTheSame) {
    RequestCounter counter;
    counter.block_begins(32, true);
    for (int step = 0; step < 2; ++step) {
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            counter.thread_runs(lane);
            if (step == 1 || lane < 16)
                counter.access(3, Traffic::shared_store, nullptr, lane * 4, 4, 4);
        }
        counter.segment_ends();
    }
    EXPECT_EQ(counter.counted().shared_store_requests, 2u);
    EXPECT_EQ(counter.counted().shared_bank_conflicts, 0u);
}

TEST(Traffic, PartsOfAVectorAreOneRequest) {
    for (unsigned bytes : {4u, 8u})
        for (Traffic kind : {Traffic::global_load, Traffic::shared_load}) {
            RequestCounter counter;
            counter.vectors(16, 0);
            counter.block_begins(32, true);
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                counter.thread_runs(lane);
                for (std::uint32_t part = 0; part < 16 / bytes; ++part)
                    counter.access(1 + part, kind, nullptr, lane * 16 + part * bytes, bytes, 4);
                counter.thread_returned(lane);
            }
            counter.segment_ends();
            EXPECT_EQ(
                counter.counted().global_load_requests + counter.counted().shared_load_requests,
                1u);
            EXPECT_EQ(counter.counted().global_load_sectors,
                      kind == Traffic::global_load ? 16u : 0u);
            EXPECT_EQ(counter.counted().shared_bank_conflicts, 0u);
            EXPECT_EQ(counter.accesses(kind) - counter.joined(kind), 32u);
        }
}

// As g++ reads them: a.x b.x a.y b.y ...
TEST(Traffic, PartsOfTwoVectorsMayTakeTurns) {
    const int regions[2] = {};
    RequestCounter counter;
    counter.vectors(16, 0);
    counter.block_begins(32, true);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        counter.thread_runs(lane);
        for (std::uint32_t part = 0; part < 4; ++part)
            for (std::uint32_t which = 0; which < 2; ++which)
                counter.access(1 + 2 * part + which, Traffic::global_load, regions + which,
                               lane * 16 + part * 4, 4, 4);
        counter.thread_returned(lane);
    }
    counter.segment_ends();
    EXPECT_EQ(counter.counted().global_load_requests, 2u);
    EXPECT_EQ(counter.counted().global_load_sectors, 32u);
    EXPECT_EQ(counter.accesses(Traffic::global_load) - counter.joined(Traffic::global_load), 64u);
}

TEST(Traffic, NeighboursAreNotJoinedWhereNoVectorIsUsed) {
    RequestCounter counter;
    counter.block_begins(32, true);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        counter.thread_runs(lane);
        for (std::uint32_t part = 0; part < 2; ++part)
            counter.access(1 + part, Traffic::global_load, nullptr, lane * 8 + part * 4, 4, 4);
        counter.thread_returned(lane);
    }
    counter.segment_ends();
    EXPECT_EQ(counter.counted().global_load_requests, 2u);
    EXPECT_EQ(counter.counted().global_load_sectors, 16u);
    EXPECT_EQ(counter.joined(Traffic::global_load), 0u);
}

TEST(Traffic, PartsOfVectorsInAnyOrderOfLanesDoNotConflict) {
    RequestCounter counter;
    counter.vectors(16, 0);
    counter.block_begins(32, true);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        counter.thread_runs(lane);
        for (std::uint32_t part = 0; part < 4; ++part)
            counter.access(1 + part, Traffic::shared_load, nullptr, (lane ^ 5) * 16 + part * 4, 4,
                           4);
        counter.thread_returned(lane);
    }
    counter.segment_ends();
    EXPECT_EQ(counter.counted().shared_bank_conflicts, 0u)
        << "128 words cannot come in less than four times";
}

TEST(Traffic, ManyInstructions) {
    RequestCounter counter;
    counter.needs_site(100);
    counter.block_begins(32, true);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        counter.thread_runs(lane);
        counter.access(1, Traffic::global_load, nullptr, lane * 4, 4, 4);
        if (lane == 7) counter.needs_site(700);  // in the middle of a request
        if (lane >= 7) counter.access(700, Traffic::global_load, nullptr, lane * 4, 4, 4);
        counter.thread_returned(lane);
    }
    counter.segment_ends();
    EXPECT_EQ(counter.counted().global_load_requests, 2u);
    EXPECT_EQ(counter.counted().global_load_sectors, 8u);
    EXPECT_EQ(counter.accesses(Traffic::global_load), 32u + 25);
}

TEST(Traffic, AThreadThatReturnsEarlyDiverges) {
    RequestCounter counter;
    counter.block_begins(32, true);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        counter.thread_runs(lane);
        counter.arrives(1);
        if (lane < 20) counter.arrives(2);
        counter.thread_returned(lane);
    }
    counter.segment_ends();
    EXPECT_EQ(counter.divergent_branches(), 1u);
}

TEST(Traffic, ABranchIsDivergentOnce) {
    RequestCounter counter;
    counter.block_begins(64, true);
    for (std::uint32_t thread = 0; thread < 64; ++thread) {
        counter.thread_runs(thread);
        counter.arrives(1);
        counter.arrives(thread < 8 ? 2 : 3);  // in the first warp only
        counter.arrives(4);
        counter.thread_returned(thread);
    }
    counter.segment_ends();
    EXPECT_EQ(counter.divergent_branches(), 1u);
}

TEST(Traffic, LoopsOfDifferentLengthDiverge) {
    RequestCounter counter;
    counter.block_begins(32, true);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        counter.thread_runs(lane);
        counter.arrives(1);
        for (std::uint32_t i = 0; i < lane / 8; ++i) counter.arrives(2);
        counter.thread_returned(lane);
    }
    counter.segment_ends();
    EXPECT_EQ(counter.divergent_branches(), 3u)
        << "one at each length that some lanes stop at and others do not";
}

}  // namespace
}  // namespace lanes::gpu::simulator
