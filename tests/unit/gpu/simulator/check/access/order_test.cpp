#include "gpu/simulator/check/access/order.hpp"

#include <gtest/gtest.h>

namespace lanes::gpu::simulator {
namespace {

constexpr std::uint32_t full = 0xffffffff;

Order begun(std::uint32_t threads = 64) {
    Order order;
    order.launch_begins();
    order.block_begins(0, threads);
    return order;
}

TEST(Order, OnlyABarrierOrdersThreadsOfABlock) {
    Order order = begun();
    const Segment before = order.segment_of(0);
    EXPECT_TRUE(order.is_before(before, 0, 0));
    EXPECT_FALSE(order.is_before(before, 0, 1));
    EXPECT_FALSE(order.is_before(before, 0, 40));
    order.barrier_passed();
    EXPECT_TRUE(order.is_before(before, 0, 1));
    EXPECT_TRUE(order.is_before(before, 0, 40));
    EXPECT_FALSE(order.is_before(order.segment_of(0), 0, 40));
}

TEST(Order, AnOperationOfATileOrdersItsThreadsOnly) {
    Order order = begun(192);
    const Segment before = order.segment_of(70);
    order.tile_passed(64, 64);
    EXPECT_TRUE(order.is_before(before, 70, 127)) << "another warp of the tile";
    EXPECT_FALSE(order.is_before(before, 70, 63));
    EXPECT_FALSE(order.is_before(before, 70, 128));
    EXPECT_FALSE(order.is_before(order.segment_of(70), 70, 127)) << "what comes after it";
    order.tile_passed(96, 32);
    EXPECT_TRUE(order.is_before(before, 70, 127)) << "a part of the tile forgets nothing";
    EXPECT_TRUE(order.may_be_before(70, 127));
    order.barrier_passed();
    EXPECT_FALSE(order.may_be_before(70, 127)) << "in the next interval";
}

TEST(Order, AWarpOperationOrdersTheLanesOfItsMaskOnly) {
    Order order = begun();
    const Segment before = order.segment_of(0);
    order.warp_passed(0, 0x0000ffff);
    EXPECT_TRUE(order.is_before(before, 0, 15));
    EXPECT_FALSE(order.is_before(before, 0, 16));
    EXPECT_FALSE(order.is_before(before, 0, 32)) << "another warp";
    EXPECT_FALSE(order.is_before(order.segment_of(0), 0, 15)) << "what comes after the operation";
    order.warp_passed(0, 0x00018000);  // lane 15 knows of lane 0, and passes it on to lane 16
    EXPECT_TRUE(order.is_before(before, 0, 16));
    EXPECT_FALSE(order.is_before(before, 0, 17));
}

TEST(Order, AWarpOperationSaysNothingAfterTheNextBarrier) {
    Order order = begun();
    order.warp_passed(0, full);
    order.barrier_passed();
    const Segment now = order.segment_of(0);
    EXPECT_FALSE(order.is_before(now, 0, 1));
    EXPECT_FALSE(order.may_be_before(0, 1));
    order.warp_passed(0, full);
    EXPECT_TRUE(order.is_before(now, 0, 1));
    EXPECT_TRUE(order.may_be_before(0, 1)) << "nobody knows which of its reads it was";
}

TEST(Order, BlocksAreNotOrdered) {
    Order order = begun();
    const Segment before = order.segment_of(3);
    order.barrier_passed();
    order.block_begins(7, 64);
    EXPECT_FALSE(order.is_before(before, 3, 3));
    EXPECT_EQ(order.block_of(before), 0u);
    EXPECT_EQ(order.block_of(order.segment_of(0)), 7u);
    order.launch_begins();
    order.block_begins(0, 64);
    EXPECT_TRUE(order.is_before(before, 3, 3)) << "another launch";
}

TEST(Order, FenceAndAtomicOrderBlocks) {
    Order order = begun();
    const Segment before = order.segment_of(0);
    order.fence(0, true);
    order.atomic(0);
    order.block_begins(1, 64);
    EXPECT_FALSE(order.is_before(before, 0, 5)) << "has not looked yet";
    order.atomic(5);
    EXPECT_TRUE(order.is_before(before, 0, 5));
    EXPECT_FALSE(order.is_before(before, 1, 5)) << "thread 1 did not fence";
    EXPECT_FALSE(order.is_before(before, 0, 6));
    order.barrier_passed();
    EXPECT_TRUE(order.is_before(before, 0, 6)) << "thread 5 told it by the barrier";
}

TEST(Order, AnAtomicAloneOrdersNothing) {
    Order order = begun();
    const Segment before = order.segment_of(0);
    order.atomic(0);
    order.block_begins(1, 64);
    order.atomic(0);
    EXPECT_FALSE(order.is_before(before, 0, 0));
}

TEST(Order, AFenceCoversWhatCameBeforeIt) {
    Order order = begun();
    order.fence(0, true);
    const Segment after = order.segment_of(0);
    order.atomic(0);
    order.block_begins(1, 64);
    order.atomic(0);
    EXPECT_FALSE(order.is_before(after, 0, 0));
}

TEST(Order, AFenceHandsOnWhatABarrierHadOrdered) {
    Order order = begun();
    const Segment before = order.segment_of(40);
    order.barrier_passed();
    order.fence(0, true);
    order.atomic(0);
    order.block_begins(1, 64);
    order.atomic(0);
    EXPECT_TRUE(order.is_before(before, 40, 0));
}

TEST(Order, AFenceOfTheBlockDoesNotReachOtherBlocks) {
    Order order = begun();
    const Segment before = order.segment_of(0);
    order.fence(0, false);
    order.atomic(0);
    order.atomic(33);
    EXPECT_TRUE(order.is_before(before, 0, 33)) << "a lock inside the block";
    order.block_begins(1, 64);
    order.atomic(0);
    EXPECT_FALSE(order.is_before(before, 0, 0));
}

TEST(Order, ManyFencesOfManyThreadsAreHandedOnByOneAfterABarrier) {
    Order order = begun();
    const Segment before = order.segment_of(0);
    for (std::uint32_t thread = 0; thread < 64; ++thread) order.fence(thread, true);
    order.barrier_passed();
    order.atomic(0);
    order.block_begins(1, 64);
    order.atomic(0);
    EXPECT_TRUE(order.is_before(before, 63, 0));
}

}  // namespace
}  // namespace lanes::gpu::simulator
