// What single accesses do to their memory: out of bounds, before anything was written, wider than
// an element, to const memory; and what is counted.
#include "accesses.hpp"

namespace lanes::gpu::simulator {
namespace {

// A buffer that is const to the CUDA kernel is not watched, unless it is written nevertheless.
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
    EXPECT_EQ(notes.texts, std::vector<std::string>{
                               "race x[5] line 2 write against line 1 read by block 0 thread 0"});
    memory_freed(values, sizeof values);
}

// A launch may get a buffer and a part of it, as x - x[1] of tensors does.
TEST_F(AccessCheckTest, APartOfABufferHidesNothingOfTheBuffer) {
    Region part = regions[0];
    part.first += 2 * sizeof(int);
    part.bytes = 3 * sizeof(int);
    part.name = "part";
    regions.push_back(part);
    check.launch_begins(regions);
    block(0);
    for (int i = 0; i < 8; ++i) read(0, x + i, i + 1);
    EXPECT_EQ(notes.texts, Texts{});
}

TEST_F(AccessCheckTest, ConstMemoryThatHoldsNothingIsStillFound) {
    regions[1].read_only = true;
    check.launch_begins(regions);
    block(0);
    read(0, y + 3, 1);
    EXPECT_EQ(notes.texts, Texts{"uninitialised y[3] line 1"});
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
    EXPECT_EQ(notes.texts, Texts{"uninitialised tile[5] line 6"})
        << "each block begins with nothing";
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
    // volatile: g++ knows that there is nothing before an array, and would remove the access.
    auto* volatile start = y;
    EXPECT_THROW(write(0, start - 1, 2), Abandoned);
    EXPECT_EQ(notes.texts, (Texts{"outside x 400", "outside y -4"}));
}

TEST_F(AccessCheckTest, WideAccessesAreLookedAtWhole) {
    block(0);
    write(9, tile + 3, 1);
    check.thread_runs(8);
    hooks().write[4](tile, code(2));
    std::fill_n(const_cast<int*>(&tile[0]), 4, -1);
    check.thread_runs(8);
    EXPECT_EQ(notes.texts,
              Texts{"race tile[3] line 2 write against line 1 write by block 0 thread 9"});
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
