// Decides which of two accesses is certain to have happened first. Time is divided into segments
// with increasing numbers. A new segment begins with each block, at each barrier (for all threads
// of the block), at each warp operation (for the lanes of its mask), at each operation of a tile of
// several warps (for its threads) and at each fence (for the thread that executes it). Blocks run
// one after another, so the number of a segment also identifies its block. The blocks of a
// cooperative launch do so between two sync() of the grid, and everything before a sync() is
// ordered before everything after it.
#pragma once

#include "gpu/simulator/memory/cell.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace lanes::gpu::simulator {

class Order {
public:
    void launch_begins();
    void block_begins(std::uint32_t block_number, std::uint32_t threads);
    void barrier_passed();
    void grid_passed() { phase_first_ = next_; }  // each block then begins again
    void warp_passed(std::uint32_t warp, std::uint32_t mask);
    void tile_passed(std::uint32_t first, std::uint32_t count);  // threads
    // The thread's next atomic operation releases what the thread has written and what it has seen
    // through barriers. Without whole_device it is released only to threads of the same block.
    void fence(std::uint32_t thread, bool whole_device);
    // Acquires what earlier atomic operations released, and releases what was fenced.
    void atomic(std::uint32_t thread);
    void acquire(std::uint32_t thread) { acquired_at_[thread] = ++atomics_; }

    // Whether an access of this launch, made by `thread` in `segment`, is ordered before what the
    // thread `current` does now.
    bool is_before(Segment segment, std::uint32_t thread, std::uint32_t current) const;
    // The same for an access of which only the thread is known, and that it happened in the current
    // interval between two barriers.
    bool may_be_before(std::uint32_t thread, std::uint32_t current) const;

    Segment launch_first() const { return launch_first_; }
    Segment block_first() const { return block_first_; }
    Segment interval_first() const { return interval_first_; }  // since the last barrier
    Segment segment_of(std::uint32_t thread) const {
        return std::max(segment_[thread], interval_first_);
    }
    std::uint32_t block_of(Segment segment) const;
    bool is_nearly_used_up() const { return next_ > last_segment - (1u << 20); }
    // Numbers segments from the beginning again. Cells that hold old numbers must be cleared first.
    void start_over();

private:
    struct Release {  // what a block released by a fence and an atomic operation
        Segment interval_first = 0;
        // By thread, 0 for none; empty if no thread released anything.
        std::vector<Segment> of_thread;
    };
    Segment new_segment();
    std::uint32_t lanes_of(std::uint32_t warp) const;
    // The last segment of the other thread before an operation of a tile that both took part in.
    Segment known_by_tile(std::uint32_t thread, std::uint32_t other) const {
        const std::size_t at = segment_.size() * thread + other;
        return at < tile_known_.size() ? tile_known_[at] : 0;
    }
    // Numbers of atomic operations; 0 if there was none in this block.
    std::uint64_t acquired_at(std::uint32_t thread) const {
        return of_block(std::max(acquired_at_[thread], acquired_by_all_));
    }
    std::uint64_t released_at(std::uint32_t thread) const { return of_block(released_at_[thread]); }
    std::uint64_t of_block(std::uint64_t number) const {
        return number > atomics_before_block_ ? number : 0;
    }

    Segment next_ = 1, launch_first_ = 1, block_first_ = 1, interval_first_ = 1;
    Segment phase_first_ = 1;  // since the last sync() of the grid
    std::uint32_t threads_ = 0;
    // First segment and block number, in order.
    std::vector<std::pair<Segment, std::uint32_t>> blocks_;
    // The lists by thread are not reset when a block or an interval begins: all numbers increase,
    // so an old entry is recognised by its number.
    std::vector<Segment> segment_;  // the current one, or one older than the interval's first
    // known_[32 * thread + lane]: the last segment of that lane of its warp that the thread knows
    // of.
    std::vector<Segment> known_;
    // tile_known_[segment_.size() * thread + other]: the same for operations of tiles. Empty if
    // there was none.
    std::vector<Segment> tile_known_;
    std::vector<Segment> known_since_;            // by warp: the interval for which known_ holds
    std::vector<Segment> fenced_, fenced_block_;  // by thread: the last segment before a fence
    // By thread: number of the last atomic operation after a fence, and of the last one at all.
    std::vector<std::uint64_t> released_at_, acquired_at_;
    std::uint64_t atomics_ = 0, atomics_before_block_ = 0;
    // The last atomic operation before the last barrier: what one thread acquired, all of them
    // know.
    std::uint64_t acquired_by_all_ = 0;
    // A thread that has seen everything before this interval then executed a device-wide fence.
    Segment fenced_interval_ = 0;
    std::vector<Release> releases_;  // by index in blocks_
    bool any_release_ = false;
};

}  // namespace lanes::gpu::simulator
