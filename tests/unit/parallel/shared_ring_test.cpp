#include "lanes/parallel/shared_ring.hpp"

#include "helpers.hpp"
#include "lanes/base/error.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace {

using lanes::SharedRing;

class SharedRingTest : public LeavesNothing {};

TEST_F(SharedRingTest, PassesSlotsWithoutACopy) {
    SharedRing ring(2, 4000);
    Doing worker([&] {
        auto slot = ring.claim();
        std::iota(slot->data<int>(), slot->data<int>() + 1000, 5);
        slot->publish(4000, 17);
    });
    worker.start();
    const auto batch = ring.get();
    worker.join();
    ASSERT_TRUE(batch);
    EXPECT_EQ(batch->size(), 4000U);
    EXPECT_EQ(batch->tag(), 17U);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(batch->data<int>()[i], 5 + i);
    EXPECT_EQ(ring.free_slots(), 1U);
}

TEST_F(SharedRingTest, ClaimWaitsWhileAllSlotsAreInUse) {
    SharedRing ring(3, 8);
    EXPECT_EQ(ring.slots(), 3U);
    for (std::uint64_t i = 0; i < 3; ++i) ring.claim()->publish(8, i);
    EXPECT_EQ(ring.length(), 3U);
    EXPECT_FALSE(ring.claim(0.03));
    {
        const auto first = ring.get();
        EXPECT_EQ(first->tag(), 0U);
        EXPECT_FALSE(ring.claim(0));
    }
    EXPECT_TRUE(ring.claim(0));
}

TEST_F(SharedRingTest, DeliversEachBatchOfManyWritersOnce) {
    constexpr int writers = 4;
    constexpr std::uint64_t batches = 500;
    SharedRing ring(5, 50'176);
    std::vector<std::unique_ptr<Doing>> workers;
    for (int writer = 0; writer < writers; ++writer) {
        workers.push_back(std::make_unique<Doing>([&, writer] {
            for (std::uint64_t i = 0; i < batches; ++i) {
                auto slot = ring.claim();
                std::fill_n(slot->data<float>(), 12'544, static_cast<float>(writer));
                slot->publish(50'176, static_cast<std::uint64_t>(writer) * batches + i);
            }
        }));
        workers.back()->start();
    }
    std::vector<int> times(writers * batches, 0);
    for (std::uint64_t i = 0; i < writers * batches; ++i) {
        const auto batch = ring.get();
        ++times[batch->tag()];
        ASSERT_EQ(std::count(batch->data<float>(), batch->data<float>() + 12'544,
                             static_cast<float>(batch->tag() / batches)),
                  12'544);
    }
    for (auto& worker : workers) worker->join();
    EXPECT_EQ(times, std::vector<int>(writers * batches, 1));
    EXPECT_EQ(ring.free_slots(), 5U);
}

TEST_F(SharedRingTest, ClosingEndsAllWaits) {
    SharedRing ring(1, 8);
    const auto held = ring.claim();
    Doing worker([&] {
        if (ring.claim()) _exit(1);
    });
    worker.start();
    wait_a_little(30);
    EXPECT_FALSE(ring.get(0));
    ring.close();
    EXPECT_TRUE(worker.join(10));
    EXPECT_EQ(worker.exit_code(), 0);
    EXPECT_FALSE(ring.get());
    EXPECT_TRUE(ring.closed());
}

TEST_F(SharedRingTest, GetReturnsWhatWasPublishedBeforeClose) {
    SharedRing ring(2, 8);
    ring.claim()->publish(8, 1);
    ring.close();
    EXPECT_TRUE(ring.get());
    EXPECT_FALSE(ring.get());
}

TEST_F(SharedRingTest, TheInterruptButtonEndsEveryWait) {
    SharedRing ring(1, 8);
    const auto held = ring.claim();
    const Interrupt pressed;
    EXPECT_SAYS(ring.claim(), "SharedRing::claim: interrupted");
    EXPECT_SAYS(ring.get(), "interrupted");
}

TEST_F(SharedRingTest, GetReportsAWorkerThatDied) {
    SharedRing ring(1, 8);
    Doing worker([&] {
        const auto slot = ring.claim();
        kill(getpid(), SIGKILL);
    });
    worker.start();
    EXPECT_SAYS(ring.get(), "worker ended by signal 9 (Killed)");
    EXPECT_EQ(ring.free_slots(), 0U);
    ring.reclaim_slots_of(worker.pid());
    EXPECT_EQ(ring.free_slots(), 1U);
}

TEST_F(SharedRingTest, DeliversWhatADeadWorkerHadPublished) {
    SharedRing ring(2, 8);
    Doing worker([&] {
        ring.claim()->publish(8, 3);
        const auto slot = ring.claim();
        kill(getpid(), SIGKILL);
    });
    worker.start();
    worker.join();
    ring.reclaim_slots_of(worker.pid());
    EXPECT_EQ(ring.free_slots(), 1U);
    EXPECT_EQ(ring.length(), 1U);
    EXPECT_EQ(ring.get(1)->tag(), 3U);
}

TEST_F(SharedRingTest, ASlotThatIsNotPublishedIsFreeAgain) {
    SharedRing ring(1, 8);
    ring.claim();
    EXPECT_EQ(ring.free_slots(), 1U);
}

TEST_F(SharedRingTest, ThrowsForSizesThatDoNotFit) {
    EXPECT_SAYS(SharedRing(0, 8), "SharedRing: 0 slots of 8 bytes");
    SharedRing ring(1, 8);
    auto slot = ring.claim();
    EXPECT_SAYS(slot->publish(9), "9 bytes published from a slot of 8");
    slot->publish(8);
    EXPECT_SAYS(slot->publish(8), "published twice");
}

TEST_F(SharedRingTest, ABatchMayOutliveTheRing) {
    auto ring = std::make_unique<SharedRing>(1, 8);
    *ring->claim()->data<int>() = 0;
    {
        auto slot = ring->claim();
        *slot->data<int>() = 7;
        slot->publish(8);
    }
    const auto batch = ring->get();
    ring.reset();
    EXPECT_EQ(*batch->data<int>(), 7);
}

}  // namespace
