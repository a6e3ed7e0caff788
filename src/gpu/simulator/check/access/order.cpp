#include "order.hpp"

#include <algorithm>

namespace lanes::gpu::simulator {

void Order::launch_begins() {
    launch_first_ = phase_first_ = block_first_ = interval_first_ = next_;
    blocks_.clear();
    releases_.clear();
    any_release_ = false;
}

void Order::start_over() {
    next_ = 1;
    for (auto* segments :
         {&segment_, &known_, &tile_known_, &known_since_, &fenced_, &fenced_block_})
        segments->clear();
    launch_begins();
}

Segment Order::new_segment() {
    // If the numbers run out, the current segment continues, and fewer accesses count as ordered
    // than really are. The checker starts over before a block gets here.
    return next_ < last_segment ? next_++ : next_;
}

void Order::block_begins(std::uint32_t block_number, std::uint32_t threads) {
    threads_ = threads;
    block_first_ = interval_first_ = new_segment();
    blocks_.emplace_back(block_first_, block_number);
    releases_.emplace_back();
    if (segment_.size() < threads) {
        for (auto* segments : {&segment_, &fenced_, &fenced_block_}) segments->resize(threads);
        for (auto* numbers : {&released_at_, &acquired_at_}) numbers->resize(threads);
        known_since_.resize((threads + 31) / 32);
    }
    atomics_before_block_ = atomics_;
    acquired_by_all_ = 0;
    fenced_interval_ = 0;
}

void Order::barrier_passed() {
    acquired_by_all_ = atomics_;
    interval_first_ = new_segment();
}

std::uint32_t Order::lanes_of(std::uint32_t warp) const {
    return std::min<std::uint32_t>(32, threads_ - 32 * warp);
}

void Order::warp_passed(std::uint32_t warp, std::uint32_t mask) {
    const std::uint32_t first = 32 * warp, lanes = lanes_of(warp);
    known_.resize(32 * segment_.size());
    // Anything known about earlier intervals is ordered by the barrier anyway.
    known_since_[warp] = interval_first_;
    Segment joined[32] = {};
    std::uint64_t acquired = 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        if (!(mask >> lane & 1)) continue;
        const Segment* known = &known_[std::size_t{32} * (first + lane)];
        for (int other = 0; other < 32; ++other)
            joined[other] = std::max(joined[other], known[other]);
        joined[lane] = std::max(joined[lane], segment_of(first + lane));
        acquired = std::max(acquired, acquired_at(first + lane));
    }
    const Segment now = new_segment();
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        if (!(mask >> lane & 1)) continue;
        std::copy(joined, joined + 32, &known_[std::size_t{32} * (first + lane)]);
        segment_[first + lane] = now;
        acquired_at_[first + lane] = acquired;
    }
}

void Order::tile_passed(std::uint32_t first, std::uint32_t count) {
    const std::size_t threads = segment_.size();
    tile_known_.resize(threads * threads);
    std::uint64_t acquired = 0;
    for (std::uint32_t thread = first; thread < first + count; ++thread) {
        acquired = std::max(acquired, acquired_at(thread));
        for (std::uint32_t other = first; other < first + count; ++other)
            tile_known_[threads * thread + other] = segment_of(other);
    }
    const Segment now = new_segment();
    for (std::uint32_t thread = first; thread < first + count; ++thread) {
        segment_[thread] = now;
        acquired_at_[thread] = acquired;
    }
}

void Order::fence(std::uint32_t thread, bool whole_device) {
    fenced_block_[thread] = segment_of(thread);
    if (whole_device) {
        fenced_[thread] = segment_of(thread);
        fenced_interval_ = std::max(fenced_interval_, interval_first_);
    }
    // What the thread does from now on is not covered by this fence.
    segment_[thread] = new_segment();
}

void Order::atomic(std::uint32_t thread) {
    const std::uint64_t now = ++atomics_;
    acquired_at_[thread] = now;
    if (fenced_block_[thread] >= block_first_) released_at_[thread] = now;
    // A fence of another thread counts after the next barrier; this thread's own counts at once.
    const bool seen =
        fenced_interval_ && (fenced_interval_ < interval_first_ || fenced_[thread] >= block_first_);
    if (!seen) return;
    Release& release = releases_.back();
    release.interval_first = std::max(release.interval_first, fenced_interval_);
    release.of_thread.resize(threads_);
    for (std::uint32_t other = 0; other < threads_; ++other)
        if (other == thread || fenced_[other] < interval_first_)
            release.of_thread[other] = std::max(release.of_thread[other], fenced_[other]);
    any_release_ = true;
}

std::uint32_t Order::block_of(Segment segment) const {
    auto after =
        std::upper_bound(blocks_.begin(), blocks_.end(), std::pair(segment, ~std::uint32_t(0)));
    return after == blocks_.begin() ? 0 : std::prev(after)->second;
}

bool Order::is_before(Segment segment, std::uint32_t thread, std::uint32_t current) const {
    if (segment < phase_first_) return true;
    // Another block: ordered only if it released the access and the current thread acquired it.
    if (segment < block_first_) {
        if (!any_release_ || !acquired_at(current)) return false;
        const auto after =
            std::upper_bound(blocks_.begin(), blocks_.end(), std::pair(segment, ~std::uint32_t(0)));
        const Release& release = releases_[static_cast<std::size_t>(after - blocks_.begin()) - 1];
        return segment < release.interval_first ||
               (thread < release.of_thread.size() && segment <= release.of_thread[thread]);
    }
    if (segment < interval_first_ || thread == current) return true;
    if (thread / 32 == current / 32 && known_since_[current / 32] == interval_first_ &&
        segment <= known_[32 * current + thread % 32])
        return true;
    if (segment <= known_by_tile(current, thread)) return true;
    return fenced_block_[thread] >= segment && released_at(thread) &&
           acquired_at(current) > released_at(thread);
}

bool Order::may_be_before(std::uint32_t thread, std::uint32_t current) const {
    if (thread == current) return true;
    if (thread / 32 == current / 32 && known_since_[current / 32] == interval_first_) return true;
    if (known_by_tile(current, thread) >= interval_first_) return true;
    return released_at(thread) && acquired_at(current) > released_at(thread);
}

}  // namespace lanes::gpu::simulator
