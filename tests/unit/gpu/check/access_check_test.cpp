#include "gpu/simulator/check/access_check.hpp"
#include "gpu/simulator/check/hook_table.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanes::gpu::simulator {
namespace {

struct Abandoned {};

// Notes what it is told, as short texts: "race x[3] line 2 write against line 1 read by block 0 thread 5".
class Notes : public AccessSink {
public:
    std::vector<std::string> texts;

private:
    static int line(const void* code) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(code) - first_code()); }
    static std::string kind(bool write, bool atomic) { return atomic ? "atomic" : write ? "write" : "read"; }
    static std::string element(const Region& region, std::size_t offset) { return region.name + "[" + std::to_string(offset / region.element_bytes) + "]"; }

    void race(const Region& region, std::size_t offset, const Access& access, const Remembered& before) override {
        texts.push_back("race " + element(region, offset) + " line " + std::to_string(line(access.code)) + " " + kind(access.write, access.atomic) +
                        " against line " + std::to_string(line(before.code)) + " " + kind(before.write, before.atomic) + " by block " +
                        std::to_string(before.block_number) + " thread " + std::to_string(before.thread_number));
    }
    void uninitialised(const Region& region, std::size_t offset, const Access& access) override {
        texts.push_back("uninitialised " + element(region, offset) + " line " + std::to_string(line(access.code)));
    }
    void misaligned(const Region& region, std::size_t offset, const Access&) override {
        texts.push_back("misaligned " + region.name + " byte " + std::to_string(offset));
    }
    void outside(const void* address, const Region* near, bool, const Access&) override {
        texts.push_back("outside " + (near ? near->name + " " + std::to_string(static_cast<const unsigned char*>(address) - near->first) : ""));
    }
    void unset(const char* name, const Access& access) override {
        texts.push_back(std::string("unset ") + name + " line " + std::to_string(line(access.code)));
    }
    bool beyond(const BeyondArray& array, const Access&) override {
        texts.push_back("beyond " + std::string(array.type) + " " + std::to_string(array.index));
        return array.index >= 0;
    }
    void abandon() override { throw Abandoned(); }
    void start_over(const Region& region) override {
        texts.push_back("start over " + region.name);
        throw Abandoned();
    }
    bool is_own_stack(const void*) override { return false; }

public:
    static std::uintptr_t first_code() { return reinterpret_cast<std::uintptr_t>(&Notes::first_code); }
};

class AccessCheckTest : public testing::Test {
protected:
    AccessCheckTest() : check(notes, Checks()) {
        regions = {region(Region::Kind::global, x, "x"), region(Region::Kind::global, y, "y")};
        shared = {region(Region::Kind::shared, tile, "tile")};
        memory_allocated(x, sizeof x);
        memory_written(x, sizeof x);
        memory_allocated(y, sizeof y);
        check.launch_begins(regions);
    }
    ~AccessCheckTest() override {
        memory_freed(x, sizeof x);
        memory_freed(y, sizeof y);
    }

    template <std::size_t n>
    static Region region(Region::Kind kind, const int (&values)[n], const char* name) {
        Region result;
        result.kind = kind;
        result.first = reinterpret_cast<const unsigned char*>(values);
        result.bytes = sizeof values;
        result.element_bytes = sizeof(int);
        result.name = name;
        return result;
    }
    void block(std::uint32_t number) { check.block_begins(number, 64, shared, true); }
    static const void* code(int line) { return reinterpret_cast<const void*>(Notes::first_code() + static_cast<std::uintptr_t>(line)); }
    static const lanes_hook_table& hooks() { return *static_cast<const lanes_hook_table*>(AccessCheck::hooks()); }
    void read(std::uint32_t thread, const void* at, int line) {
        check.thread_runs(thread);
        hooks().read[2](at, code(line));
    }
    void write(std::uint32_t thread, const void* at, int line) {
        check.thread_runs(thread);
        hooks().write[2](at, code(line));
    }
    void volatile_read(std::uint32_t thread, const void* at, int line) {
        check.thread_runs(thread);
        hooks().volatile_read[2](at, code(line));
    }
    void atomic(std::uint32_t thread, const void* at, int line, bool compares = false) {
        check.thread_runs(thread);
        hooks().atomic(at, 4, compares, code(line));
    }
    using Texts = std::vector<std::string>;

    // One after the other, with a gap before y: compilers put variables of their own into any order.
    struct Arrays {
        alignas(256) int x[100];
        alignas(256) int y[100];
        alignas(256) int tile[64];
    };
    static inline Arrays arrays;
    static constexpr auto &x = arrays.x, &y = arrays.y;
    static constexpr auto& tile = arrays.tile;
    Notes notes;
    AccessCheck check;
    std::vector<Region> regions, shared;
};

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
    EXPECT_EQ(notes.texts, Texts{"race tile[31] line 2 read against line 1 write by block 0 thread 31"});
}

TEST_F(AccessCheckTest, ABarrierBetweenMakesItGood) {
    block(0);
    for (std::uint32_t thread = 0; thread < 64; ++thread) write(thread, tile + thread, 1);
    check.barrier_passed();
    for (std::uint32_t thread = 0; thread < 64; ++thread) read(thread, tile + 63 - thread, 2);
    EXPECT_EQ(notes.texts, Texts{});
    write(0, tile + 5, 3);
    EXPECT_EQ(notes.texts, Texts{"race tile[5] line 3 write against line 2 read by block 0 thread 58"});
}

TEST_F(AccessCheckTest, AWriterThatReadItTooRacesWithTheOtherReader) {
    block(0);
    write(0, tile + 7, 1);
    check.barrier_passed();
    read(3, tile + 7, 2);
    read(9, tile + 7, 2);
    write(3, tile + 7, 3);
    EXPECT_EQ(notes.texts, Texts{"race tile[7] line 3 write against line 2 read by block 0 thread 9"});
}

TEST_F(AccessCheckTest, WarpOperationsOrderLanesButNotWarps) {
    block(0);
    write(1, tile + 1, 1);
    check.warp_passed(0, 0xffffffff);
    read(0, tile + 1, 2);
    EXPECT_EQ(notes.texts, Texts{});
    read(40, tile + 1, 2);
    EXPECT_EQ(notes.texts, Texts{"race tile[1] line 2 read against line 1 write by block 0 thread 1"});
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
    EXPECT_EQ(notes.texts, Texts{"race x[0] line 2 read against line 1 atomic by block 1 thread 63"});
}

TEST_F(AccessCheckTest, WhoComparesAndSwapsMayReadBefore) {
    for (std::uint32_t number = 0; number < 2; ++number) {
        block(number);
        for (std::uint32_t thread = 0; thread < 64; ++thread) {
            read(thread, x, 1);
            if (thread % 3 == 0) atomic(thread, x, 2, true);  // others saw that they need not
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
              (Texts{"race x[0] line 1 read against line 2 atomic by block 0 thread 1", "race x[0] line 2 atomic against line 1 read by block 0 thread 1"}));
}

TEST_F(AccessCheckTest, APlainWriteRacesWithCompareAndSwap) {
    block(0);
    read(1, x, 1);
    atomic(1, x, 2, true);
    write(2, x, 3);
    EXPECT_EQ(notes.texts, Texts{"race x[0] line 3 write against line 2 atomic by block 0 thread 1"});
    notes.texts.clear();
    block(1);
    write(2, x + 1, 3);
    atomic(1, x + 1, 2, true);
    EXPECT_EQ(notes.texts, Texts{"race x[1] line 2 atomic against line 3 write by block 1 thread 2"});
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
    EXPECT_EQ(notes.texts, Texts{"race x[0] line 1 atomic against line 4 read by block 0 thread 40"}) << "the plain one";
    notes.texts.clear();
    block(1);
    write(1, x + 1, 3);
    volatile_read(2, x + 1, 2);
    EXPECT_EQ(notes.texts, Texts{"race x[1] line 2 read against line 3 write by block 1 thread 1"});
}

// A buffer that is const to the CUDA kernel is not watched, unless it is written after all.
TEST_F(AccessCheckTest, ConstMemoryIsLookedAtOnceItIsWritten) {
    regions[0].read_only = true;
    check.launch_begins(regions);
    block(0);
    read(0, x + 5, 1);
    EXPECT_THROW(read(0, x + 100, 1), Abandoned);
    EXPECT_EQ(notes.texts, Texts{"outside x 400"});
    notes.texts.clear();
    EXPECT_THROW(write(1, x + 5, 2), Abandoned);
    EXPECT_EQ(notes.texts, Texts{"start over x"});
}

TEST(AccessCheckOfConstMemory, IsWatchedWhereItIsAskedFor) {
    Notes notes;
    static int values[8];
    Region region;
    region.first = reinterpret_cast<const unsigned char*>(values);
    region.bytes = sizeof values;
    region.element_bytes = sizeof(int);
    region.name = "x";
    region.read_only = true;
    memory_allocated(values, sizeof values);
    memory_written(values, sizeof values);
    AccessCheck check(notes, Checks(), {region.first});
    const auto& hooks = *static_cast<const lanes_hook_table*>(AccessCheck::hooks());
    const auto* code = reinterpret_cast<const char*>(Notes::first_code());
    check.launch_begins({region});
    check.block_begins(0, 64, {}, false);
    check.thread_runs(0);
    hooks.read[2](values + 5, code + 1);
    check.thread_runs(1);
    hooks.write[2](values + 5, code + 2);
    EXPECT_EQ(notes.texts, std::vector<std::string>{"race x[5] line 2 write against line 1 read by block 0 thread 0"});
    memory_freed(values, sizeof values);
}

TEST_F(AccessCheckTest, ConstMemoryThatHoldsNothingIsStillFound) {
    regions[1].read_only = true;
    check.launch_begins(regions);
    block(0);
    read(0, y + 3, 1);
    EXPECT_EQ(notes.texts, Texts{"uninitialised y[3] line 1"});
}

TEST_F(AccessCheckTest, APlainWriteRacesWithTheAtomicsOfOthersEvenAfterItsOwn) {
    block(0);
    write(0, tile, 1);
    atomic(0, tile, 2);
    atomic(1, tile, 2);
    EXPECT_EQ(notes.texts, Texts{"race tile[0] line 2 atomic against line 1 write by block 0 thread 0"});
}

TEST_F(AccessCheckTest, BlocksRace) {
    block(0);
    read(63, x + 64, 1);
    check.barrier_passed();
    block(1);
    read(0, x + 64, 1);
    write(0, x + 64, 2);
    EXPECT_EQ(notes.texts, Texts{"race x[64] line 2 write against line 1 read by block 0 thread 63"});
    notes.texts.clear();
    block(2);
    read(9, x + 64, 1);
    EXPECT_EQ(notes.texts, Texts{"race x[64] line 1 read against line 2 write by block 1 thread 0"});
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

TEST_F(AccessCheckTest, UninitialisedReads) {
    block(0);
    read(0, y + 3, 1);
    read(0, tile + 2, 2);
    write(0, y + 4, 3);
    read(0, y + 4, 4);
    write(0, tile + 5, 5);
    EXPECT_EQ(notes.texts, (Texts{"uninitialised y[3] line 1", "uninitialised tile[2] line 2"}));
    notes.texts.clear();
    block(1);
    read(0, tile + 5, 6);
    EXPECT_EQ(notes.texts, Texts{"uninitialised tile[5] line 6"}) << "each block begins with nothing";
}

TEST_F(AccessCheckTest, WhatALaunchWroteIsInitialisedInTheNext) {
    block(0);
    write(0, y + 4, 1);
    check.launch_ends();
    check.launch_begins(regions);
    block(0);
    read(7, y + 4, 2);
    read(7, y + 5, 2);
    EXPECT_EQ(notes.texts, Texts{"uninitialised y[5] line 2"});
    memory_written(y, sizeof y);
    check.launch_begins(regions);
    block(0);
    read(7, y + 6, 3);
    EXPECT_EQ(notes.texts.size(), 1u) << "uploaded";
}

TEST_F(AccessCheckTest, OutsideOfEverything) {
    block(0);
    EXPECT_THROW(read(0, x + 100, 1), Abandoned);
    write(0, y + 99, 2);
    auto* volatile start = y;  // g++ knows that nothing lies before an array, and takes the access away
    EXPECT_THROW(write(0, start - 1, 2), Abandoned);
    EXPECT_EQ(notes.texts, (Texts{"outside x 400", "outside y -4"}));
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
    EXPECT_EQ(notes.texts, Texts{"race tile[15] line 2 write against line 1 write by block 0 thread 63"});
}

TEST_F(AccessCheckTest, WideAccessesAreLookedAtWhole) {
    block(0);
    write(9, tile + 3, 1);
    check.thread_runs(8);
    hooks().write[4](tile, code(2));
    EXPECT_EQ(notes.texts, Texts{"race tile[3] line 2 write against line 1 write by block 0 thread 9"});
    EXPECT_THROW(hooks().read[4](x + 2, code(3)), Abandoned);
    EXPECT_EQ(notes.texts.back(), "misaligned x byte 8");
}

TEST_F(AccessCheckTest, ACopyCopiesHolesAndSaysNothing) {
    block(0);
    write(0, tile, 1);
    hooks().copy(tile + 8, tile, 8, code(2));
    EXPECT_EQ(notes.texts, Texts{});
    read(0, tile + 8, 3);
    read(0, tile + 9, 3);
    EXPECT_EQ(notes.texts, Texts{"uninitialised tile[9] line 3"});
}

TEST_F(AccessCheckTest, CountsAccessesAndSectors) {
    block(0);
    for (std::uint32_t thread = 0; thread < 64; ++thread) {
        read(thread, x + thread, 1);
        write(thread, y + thread, 2);
        check.thread_returned(thread);
    }
    check.block_ends();
    check.launch_ends();
    const Counters counters = check.counters();
    EXPECT_EQ(counters.global_loads, 64u);
    EXPECT_EQ(counters.global_load_requests, 2u);
    EXPECT_EQ(counters.global_load_sectors, 8u);
    EXPECT_EQ(counters.global_store_sectors, 8u);
    EXPECT_EQ(check.written(regions[1]).prefix_bytes, 64 * sizeof(int));
    EXPECT_EQ(check.written(regions[0]).bytes, 0u);
}

}  // namespace
}  // namespace lanes::gpu::simulator
