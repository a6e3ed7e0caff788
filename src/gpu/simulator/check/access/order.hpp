// Which of two accesses came first for certain. Time is cut into segments with rising numbers: a
// new one begins with each block and at each barrier (for all threads of the block), at each warp
// operation (for the lanes of its mask) and at each fence (for the thread that executes it). Blocks
// run one after another, so a segment's number also says which block it belongs to.
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
    void warp_passed(std::uint32_t warp, std::uint32_t mask);
    // What the thread has written, and what it saw by barriers, is handed on by its next atomic
    // operation. Without whole_device only to threads of its block.
    void fence(std::uint32_t thread, bool whole_device);
    // Takes over what earlier atomic operations handed on, and hands on what was fenced.
    void atomic(std::uint32_t thread);

    // Whether an access of this launch, by that thread in that segment, is ordered before what the
    // thread `current` does now.
    bool is_before(Segment segment, std::uint32_t thread, std::uint32_t current) const;
    // The same, where all that is known of the access is that it happened in the current interval
    // between barriers, at that segment or later.
    bool may_be_before(std::uint32_t thread, std::uint32_t current) const;

    Segment launch_first() const { return launch_first_; }
    Segment block_first() const { return block_first_; }
    Segment interval_first() const { return interval_first_; }  // since the last barrier
    Segment segment_of(std::uint32_t thread) const {
        return std::max(segment_[thread], interval_first_);
    }
    std::uint32_t block_of(Segment segment) const;
    bool is_nearly_used_up() const { return next_ > last_segment - (1u << 20); }
    void start_over();  // segments are numbered from the beginning again: cells that hold old ones
                        // must be cleared

private:
    struct Release {  // what a block handed on by fence and atomic operation
        Segment interval_first = 0;
        std::vector<Segment> of_thread;  // by thread, 0 where nothing; empty where no thread did
    };
    Segment new_segment();
    std::uint32_t lanes_of(std::uint32_t warp) const;
    // Numbers of atomic operations; 0 where there was none in this block.
    std::uint64_t acquired_at(std::uint32_t thread) const {
        return of_block(std::max(acquired_at_[thread], acquired_by_all_));
    }
    std::uint64_t released_at(std::uint32_t thread) const { return of_block(released_at_[thread]); }
    std::uint64_t of_block(std::uint64_t number) const {
        return number > atomics_before_block_ ? number : 0;
    }

    Segment next_ = 1, launch_first_ = 1, block_first_ = 1, interval_first_ = 1;
    std::uint32_t threads_ = 0;
    std::vector<std::pair<Segment, std::uint32_t>> blocks_;  // first segment and number, in order
    // Lists by thread are left as they are where a block or an interval begins: all numbers rise,
    // so what is old is seen to be old.
    std::vector<Segment> segment_;  // the current one, or an older one than the interval's first
    std::vector<Segment>
        known_;  // known_[32 * thread + lane]: up to where it knows what that lane of its warp did
    std::vector<Segment> known_since_;            // by warp: the interval that known_ speaks of
    std::vector<Segment> fenced_, fenced_block_;  // its last segment before a fence
    std::vector<std::uint64_t> released_at_,
        acquired_at_;  // number of its last atomic operation after a fence, and of its last one
    std::uint64_t atomics_ = 0, atomics_before_block_ = 0;
    std::uint64_t acquired_by_all_ = 0;  // the last atomic operation before the last barrier: what
                                         // one thread took over, all of them know
    Segment fenced_interval_ =
        0;  // what came before it was seen by somebody who then fenced for the device
    std::vector<Release> releases_;  // by index in blocks_
    bool any_release_ = false;
};

}  // namespace lanes::gpu::simulator
