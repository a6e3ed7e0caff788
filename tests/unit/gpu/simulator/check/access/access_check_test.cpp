// Accesses of different threads to one element: which of them race.
#include "accesses.hpp"

namespace lanes::gpu::simulator {
namespace {

TEST_F(AccessCheckTest, ReadsOfOneElementByAllAreSilent) {
    for (std::uint32_t number = 0; number < 3; ++number) {
        block(number);
        for (std::uint32_t thread = 0; thread < 64; ++thread) read(thread, x + 3, 1);
    }
    EXPECT_EQ(notes.texts, Texts{});
}

TEST_F(AccessCheckTest, AReadOfWhatAnotherThreadHasWritten) {
    block(0);
    write(31, tile + 31, 1);
    read(32, tile + 31, 2);
    EXPECT_EQ(notes.texts,
              Texts{"race tile[31] line 2 read against line 1 write by block 0 thread 31"});
}

TEST_F(AccessCheckTest, ABarrierBetweenMakesItGood) {
    block(0);
    for (std::uint32_t thread = 0; thread < 64; ++thread) write(thread, tile + thread, 1);
    check.barrier_passed();
    for (std::uint32_t thread = 0; thread < 64; ++thread) read(thread, tile + 63 - thread, 2);
    EXPECT_EQ(notes.texts, Texts{});
    write(0, tile + 5, 3);
    EXPECT_EQ(notes.texts,
              Texts{"race tile[5] line 3 write against line 2 read by block 0 thread 58"});
}

TEST_F(AccessCheckTest, AWriterThatReadItTooRacesWithTheOtherReader) {
    block(0);
    write(0, tile + 7, 1);
    check.barrier_passed();
    read(3, tile + 7, 2);
    read(9, tile + 7, 2);
    write(3, tile + 7, 3);
    EXPECT_EQ(notes.texts,
              Texts{"race tile[7] line 3 write against line 2 read by block 0 thread 9"});
}

TEST_F(AccessCheckTest, WarpOperationsOrderLanesButNotWarps) {
    block(0);
    write(1, tile + 1, 1);
    check.warp_passed(0, 0xffffffff);
    read(0, tile + 1, 2);
    EXPECT_EQ(notes.texts, Texts{});
    read(40, tile + 1, 2);
    EXPECT_EQ(notes.texts,
              Texts{"race tile[1] line 2 read against line 1 write by block 0 thread 1"});
}

TEST_F(AccessCheckTest, AReductionInsideAWarp) {
    block(0);
    for (std::uint32_t lane = 0; lane < 32; ++lane) write(lane, tile + lane, 1);
    check.warp_passed(0, 0xffffffff);
    for (std::uint32_t step = 16; step > 0; step /= 2) {
        for (std::uint32_t lane = 0; lane < step; ++lane) {
            read(lane, tile + lane + step, 2);
            read(lane, tile + lane, 2);
            write(lane, tile + lane, 3);
        }
        check.warp_passed(0, 0xffffffff);
    }
    EXPECT_EQ(notes.texts, Texts{});
}

TEST_F(AccessCheckTest, AtomicsDoNotRaceWithAtomics) {
    for (std::uint32_t number = 0; number < 2; ++number) {
        block(number);
        for (std::uint32_t thread = 0; thread < 64; ++thread) atomic(thread, x, 1);
    }
    EXPECT_EQ(notes.texts, Texts{});
    read(5, x, 2);
    check.launch_ends();
    EXPECT_EQ(notes.texts,
              Texts{"race x[0] line 2 read against line 1 atomic by block 1 thread 63"});
}

TEST_F(AccessCheckTest, WhoComparesAndSwapsMayReadBefore) {
    for (std::uint32_t number = 0; number < 2; ++number) {
        block(number);
        for (std::uint32_t thread = 0; thread < 64; ++thread) {
            read(thread, x, 1);
            if (thread % 3 == 0) atomic(thread, x, 2, true);  // the others saw that they need not
        }
    }
    block(2);
    for (std::uint32_t thread = 0; thread < 64; ++thread) read(thread, x, 1);
    for (std::uint32_t thread = 0; thread < 64; ++thread) atomic(thread, x, 2, true);
    check.launch_ends();
    EXPECT_EQ(notes.texts, Texts{});
}

TEST_F(AccessCheckTest, WhoOnlyAddsMayNot) {
    block(0);
    read(1, x, 1);
    atomic(1, x, 2);
    read(2, x, 1);
    atomic(2, x, 2);
    read(3, x + 1, 3);
    atomic(3, x + 1, 4, true);
    check.launch_ends();
    EXPECT_EQ(notes.texts,
              (Texts{"race x[0] line 1 read against line 2 atomic by block 0 thread 1",
                     "race x[0] line 2 atomic against line 1 read by block 0 thread 1"}));
}

TEST_F(AccessCheckTest, APlainWriteRacesWithCompareAndSwap) {
    block(0);
    read(1, x, 1);
    atomic(1, x, 2, true);
    write(2, x, 3);
    EXPECT_EQ(notes.texts,
              Texts{"race x[0] line 3 write against line 2 atomic by block 0 thread 1"});
    notes.texts.clear();
    block(1);
    write(2, x + 1, 3);
    atomic(1, x + 1, 2, true);
    EXPECT_EQ(notes.texts,
              Texts{"race x[1] line 2 atomic against line 3 write by block 1 thread 2"});
}

TEST_F(AccessCheckTest, AVolatileLookAtAtomicsIsNoRaceOneAtAWriteIs) {
    block(0);
    atomic(1, x, 1);
    volatile_read(2, x, 2);
    volatile_read(40, x, 2);
    atomic(3, x, 1);
    check.barrier_passed();
    EXPECT_EQ(notes.texts, Texts{});
    volatile_read(2, x, 2);
    read(40, x, 4);
    atomic(3, x, 1);
    check.launch_ends();
    EXPECT_EQ(notes.texts,
              Texts{"race x[0] line 1 atomic against line 4 read by block 0 thread 40"})
        << "the plain one";
    notes.texts.clear();
    block(1);
    write(1, x + 1, 3);
    volatile_read(2, x + 1, 2);
    EXPECT_EQ(notes.texts, Texts{"race x[1] line 2 read against line 3 write by block 1 thread 1"});
}

TEST_F(AccessCheckTest, APlainWriteRacesWithTheAtomicsOfOthersEvenAfterItsOwn) {
    block(0);
    write(0, tile, 1);
    atomic(0, tile, 2);
    atomic(1, tile, 2);
    EXPECT_EQ(notes.texts,
              Texts{"race tile[0] line 2 atomic against line 1 write by block 0 thread 0"});
}

TEST_F(AccessCheckTest, BlocksRace) {
    block(0);
    read(63, x + 64, 1);
    check.barrier_passed();
    block(1);
    read(0, x + 64, 1);
    write(0, x + 64, 2);
    EXPECT_EQ(notes.texts,
              Texts{"race x[64] line 2 write against line 1 read by block 0 thread 63"});
    notes.texts.clear();
    block(2);
    read(9, x + 64, 1);
    EXPECT_EQ(notes.texts,
              Texts{"race x[64] line 1 read against line 2 write by block 1 thread 0"});
}

TEST_F(AccessCheckTest, TheLastBlockReadsWhatWasFenced) {
    for (bool fenced : {true, false}) {
        notes.texts.clear();
        check.launch_begins(regions);
        block(0);
        write(0, y, 1);
        if (fenced) check.fence(0, true);
        atomic(0, x, 2);
        block(1);
        atomic(0, x, 2);
        read(0, y, 3);
        EXPECT_EQ(notes.texts.empty(), fenced);
    }
    EXPECT_EQ(notes.texts, Texts{"race y[0] line 3 read against line 1 write by block 0 thread 0"});
}

TEST_F(AccessCheckTest, TheSameValueIsToldFromAnother) {
    block(0);
    store(0, tile, 1, 7);
    store(1, tile, 1, 7);
    EXPECT_EQ(notes.texts, Texts{"same value tile[0] line 1"});
    store(1, tile, 2, 8);
    store(2, tile, 1, 7);
    EXPECT_EQ(notes.texts.back(),
              "race tile[0] line 1 write against line 2 write by block 0 thread 1");
}

TEST_F(AccessCheckTest, WhatWasAddedToFloatsIsSummedUp) {
    block(0);
    atomic(0, y, 1);
    hooks().added(y, -3.0);
    hooks().added(y, 3.5);
    EXPECT_EQ(check.added(regions[1], 0), 6.5);
    EXPECT_EQ(check.added(regions[1], 4), 0);
    EXPECT_EQ(check.added(regions[0], 0), 6.5);  // may have been computed from the largest sum
}

TEST_F(AccessCheckTest, AtomicOperationsOnOneAddressAreToldFromThoseOnMany) {
    block(0);
    for (int i = 0; i < 3; ++i) atomic(0, y, 1), atomic(0, x + i, 2);
    const auto sites = check.atomic_sites();
    ASSERT_EQ(sites.size(), 2u);
    EXPECT_FALSE(sites[0].many_addresses);
    EXPECT_TRUE(sites[1].many_addresses);
}

TEST_F(AccessCheckTest, VolatileAccessesAndFencesPassOnWhatWasWritten) {
    for (const bool fenced : {true, false}) {
        notes.texts.clear();
        check.launch_begins(regions);
        block(0);
        write(0, y, 1);
        if (fenced) check.fence(0, true);
        volatile_write(0, x, 2);
        block(1);
        volatile_read(0, x, 3);
        read(0, y, 4);
        volatile_write(0, x, 2);
        EXPECT_EQ(notes.texts.empty(), fenced);
    }
    EXPECT_EQ(notes.texts, Texts{"race y[0] line 4 read against line 1 write by block 0 thread 0"});
}

TEST_F(AccessCheckTest, VolatileSharedMemoryRaces) {
    block(0);
    volatile_write(0, tile, 1);
    volatile_read(1, tile, 2);
    EXPECT_EQ(notes.texts,
              Texts{"race tile[0] line 2 read against line 1 write by block 0 thread 0"});
}

TEST_F(AccessCheckTest, BytesBesideEachOtherDoNotRace) {
    block(0);
    const auto* bytes = reinterpret_cast<const char*>(tile);
    for (std::uint32_t thread = 0; thread < 64; ++thread) {
        check.thread_runs(thread);
        hooks().write[0](bytes + thread, code(1));
    }
    EXPECT_EQ(notes.texts, Texts{});
    check.thread_runs(0);
    hooks().write[0](bytes + 63, code(2));
    const_cast<char*>(bytes)[63] ^= 1;
    check.thread_runs(0);
    EXPECT_EQ(notes.texts,
              Texts{"race tile[15] line 2 write against line 1 write by block 0 thread 63"});
}

}  // namespace
}  // namespace lanes::gpu::simulator
