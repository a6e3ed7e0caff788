#include "gpu/simulator/check/access/traffic.hpp"

#include <gtest/gtest.h>

#include <vector>

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
    EXPECT_EQ(counter.total(Traffic::global_load).requests, 1u);
    EXPECT_EQ(counter.total(Traffic::global_load).accesses, 32u);
    return counter.total(Traffic::global_load).sectors;
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
    EXPECT_EQ(one_request(Traffic::global_store, 4, scattered).total(Traffic::global_store).sectors,
              32u);
    const auto backwards = [](std::uint64_t lane) { return (31 - lane) * 4; };
    EXPECT_EQ(one_request(Traffic::global_store, 4, backwards).total(Traffic::global_store).sectors,
              4u);
    const auto two = [](std::uint64_t lane) { return (lane % 2) * 1024; };
    EXPECT_EQ(one_request(Traffic::global_store, 4, two).total(Traffic::global_store).sectors, 2u);
    const auto seven = [](std::uint64_t lane) { return (lane % 7) * 1024; };
    EXPECT_EQ(one_request(Traffic::global_store, 4, seven).total(Traffic::global_store).sectors,
              7u);
}

std::uint64_t conflicts(unsigned bytes, std::uint64_t stride) {
    const RequestCounter counter =
        one_request(Traffic::shared_load, bytes, [=](std::uint64_t lane) { return lane * stride; });
    EXPECT_EQ(counter.total(Traffic::shared_load).requests, 1u);
    return counter.total(Traffic::shared_load).conflicts;
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
    EXPECT_EQ(counter.total(Traffic::global_load).requests, 2u * 3);
    EXPECT_EQ(counter.total(Traffic::global_load).sectors, 2u * 3 * 4);
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
    EXPECT_EQ(counter.total(Traffic::shared_store).requests, 2u);
    EXPECT_EQ(counter.total(Traffic::shared_store).conflicts, 0u);
}

TEST(Traffic, SectorsThatWouldDo) {
    const auto ideal = [](unsigned bytes, std::uint64_t stride, std::uint32_t lanes = 32) {
        return one_request(
                   Traffic::global_load, bytes, [=](std::uint64_t lane) { return lane * stride; },
                   lanes)
            .total(Traffic::global_load)
            .ideal_sectors;
    };
    EXPECT_EQ(ideal(4, 4), 4u);
    EXPECT_EQ(ideal(4, 128), 4u) << "32 sectors are read";
    EXPECT_EQ(ideal(4, 0), 1u) << "all the same";
    EXPECT_EQ(ideal(4, 128, 9), 2u) << "9 lanes";
    EXPECT_EQ(ideal(16, 16), 16u);
}

TEST(Traffic, InstructionsAreCountedApart) {
    RequestCounter counter;
    counter.block_begins(32, true);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        counter.thread_runs(lane);
        counter.access(1, Traffic::global_load, nullptr, lane * 4, 4, 4);
        counter.access(2, Traffic::global_load, nullptr, lane * 64, 4, 4);
        counter.access(2, Traffic::shared_load, nullptr, lane * 8, 4,
                       4);  // through a generic pointer
        counter.thread_returned(lane);
    }
    const auto of = [&](std::size_t site, Traffic kind) { return counter.of(site, kind); };
    EXPECT_EQ(of(1, Traffic::global_load).sectors, 4u);
    EXPECT_EQ(of(2, Traffic::global_load).sectors, 32u);
    EXPECT_EQ(of(2, Traffic::global_load).accesses, 32u);
    EXPECT_EQ(of(2, Traffic::shared_load).requests, 1u);
    EXPECT_EQ(of(2, Traffic::shared_load).conflicts, 1u);
    EXPECT_EQ(counter.total(Traffic::global_load).sectors, 36u);
}

// Each lane reads the offsets in turn, each by its own instruction; 1 is added to those of a store.
std::uint64_t loads(const std::vector<std::uint64_t>& offsets, std::size_t element = 4) {
    RequestCounter counter;
    counter.block_begins(32, true);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        counter.thread_runs(lane);
        std::uint32_t site = 0;
        for (const std::uint64_t offset : offsets)
            counter.access(++site, offset % 4 ? Traffic::global_store : Traffic::global_load,
                           nullptr, lane * 1024 + offset / 4 * 4, 4, element);
        counter.thread_returned(lane);
    }
    return counter.total(Traffic::global_load).accesses / 32;
}

TEST(Traffic, WhatAThreadHasJustReadIsInARegister) {
    EXPECT_EQ(loads({0, 4, 0, 4}), 2u);
    EXPECT_EQ(loads({0, 4, 8, 12, 0}), 4u) << "one of the last four";
    EXPECT_EQ(loads({0, 4, 8, 12, 16, 0}), 6u) << "four others came between";
    EXPECT_EQ(loads({0, 4, 8, 0, 12, 16, 0}), 5u) << "reading it again keeps it";
    EXPECT_EQ(loads({0, 9, 0}), 2u) << "a store came between";
    EXPECT_EQ(loads({0, 4, 8}), 3u);
    EXPECT_EQ(loads({0, 4, 8, 12, 16}, 16), 2u) << "members of two vectors";
}

TEST(Traffic, ARequestIsLeftOutOnlyIfAllItsLanesHaveItInARegister) {
    RequestCounter counter;
    counter.block_begins(32, true);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        counter.thread_runs(lane);
        counter.access(1, Traffic::global_load, nullptr, 0, 4, 4);
        counter.access(2, Traffic::global_load, nullptr, lane * 4, 4, 4);  // lane 0 has it
        counter.thread_returned(lane);
    }
    EXPECT_EQ(counter.total(Traffic::global_load).accesses, 64u);
    EXPECT_EQ(counter.total(Traffic::global_load).requests, 2u);
}

// a[i] and b[i] may be the same element by chance: a tile on the diagonal of a matrix.
TEST(Traffic, AnInstructionIsLeftOutOnlyIfItAlwaysReadsWhatAnotherHasRead) {
    for (const bool always : {true, false}) {
        RequestCounter counter;
        for (std::uint64_t block = 0; block < 2; ++block) {
            counter.block_begins(32, true);
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                counter.thread_runs(lane);
                const std::uint64_t other = always ? block : 0;
                counter.access(1, Traffic::global_load, nullptr, block * 1024 + lane * 4, 4, 4);
                counter.access(2, Traffic::global_load, nullptr, other * 1024 + lane * 4, 4, 4);
                counter.thread_returned(lane);
            }
        }
        EXPECT_EQ(counter.total(Traffic::global_load).accesses, always ? 64u : 128u);
        EXPECT_EQ(counter.total(Traffic::global_load).sectors, always ? 8u : 16u);
        EXPECT_EQ(counter.of(2, Traffic::global_load).in_register, always ? 64u : 0u);
    }
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
    EXPECT_EQ(counter.total(Traffic::global_load).requests, 2u);
    EXPECT_EQ(counter.total(Traffic::global_load).sectors, 8u);
    EXPECT_EQ(counter.total(Traffic::global_load).accesses, 32u + 25);
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
