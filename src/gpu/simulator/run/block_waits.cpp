// The part of BlockRunner in which threads wait for each other: barriers and warp operations.
#include "block_runner.hpp"
#include "block_switch.hpp"

#include <algorithm>
#include <cstring>

namespace lanes::gpu::simulator {

// --- Barriers

int BlockRunner::barrier_call(void* engine, unsigned thread, lanes_barrier_op op, int predicate,
                              const void* code, const char* what) {
    BlockRunner& self = *static_cast<BlockRunner*>(engine);
    self.adopt(thread);
    self.leave_if_stopped(code);
    Wait& wait = self.wait_[thread];
    wait.code = code;
    wait.what = what;
    self.state_[self.position_of_[thread]] = at_barrier;
    self.barrier_sum_ += predicate != 0;
    const std::uint32_t number = self.barrier_number_;
    self.at_grid_ += op == lanes_barrier_grid;
    if (++self.waiting_ + self.done_ == self.threads_ && (self.done_ == 0 || !self.watcher_) &&
        self.at_grid_ == 0)
        self.pass_barrier();
    self.wait_here(thread);
    if (op == lanes_barrier_plain || op == lanes_barrier_grid) return 0;
    const std::uint64_t result = self.barrier_result_[number % 2];
    const auto count = static_cast<int>(result >> 32),
               present = static_cast<int>(result & 0xffffffff);
    return op == lanes_barrier_count ? count
           : op == lanes_barrier_and ? count == present
           : op == lanes_barrier_or  ? count != 0
                                     : 0;
}

// The last thread has arrived: all continue, in the order of the schedule.
void BlockRunner::pass_barrier() {
    barrier_result_[barrier_number_++ % 2] =
        static_cast<std::uint64_t>(barrier_sum_) << 32 | waiting_;
    if (watcher_ && barriers_differ()) {
        watcher_->stuck(states());
        leave(here(ExitReason::Kind::stuck));
    }
    for (std::uint32_t position = 0; position < threads_; ++position)
        if (state_[position] == at_barrier) state_[position] = ready;
    waiting_ = 0;
    barrier_sum_ = 0;
    position_ = threads_ - 1;
    barriers.store(barriers.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (watcher_) watcher_->barrier_passed(wait_[0].code);
}

// Whether threads wait at barriers of different lines. The compiler may have turned one line into
// several calls, so comparing addresses is not enough.
bool BlockRunner::barriers_differ() const {
    const void* const code = wait_[0].code;
    for (std::uint32_t thread = 1; thread < threads_; ++thread)
        if (wait_[thread].code != code && line_of && line_of(wait_[thread].code) != line_of(code))
            return true;
    return false;
}

// --- Warps

unsigned long long BlockRunner::warp_call(void* engine, unsigned thread, lanes_warp_op op,
                                          unsigned mask, unsigned long long value, int source,
                                          int* flag, const void* code, const char* what) {
    BlockRunner& self = *static_cast<BlockRunner*>(engine);
    self.adopt(thread);
    self.leave_if_stopped(code);
    Wait& wait = self.wait_[thread];
    wait.code = code;
    wait.what = what;
    wait.value = value;
    wait.mask = mask;
    wait.op = op;
    wait.source = static_cast<std::int16_t>(source);
    if (op == lanes_warp_active) {
        self.state_[self.position_of_[thread]] = asks_active;
        self.wait_here(thread);
        return wait.result;
    }
    if (op == lanes_warp_tile) {
        self.state_[self.position_of_[thread]] = in_tile;
        if (!self.try_tile(thread)) self.wait_here(thread);
        if (flag) *flag = wait.flag;
        return wait.result;
    }
    if (!(mask >> thread % 32 & 1)) {
        if (self.watcher_)
            self.watcher_->wrong_mask(self.place_of(thread), what, mask, ~self.gone_[thread / 32],
                                      -1, code);
        self.leave_if_stopped(code);
        return value;  // the value does not matter here
    }
    self.state_[self.position_of_[thread]] = in_warp;
    self.in_warp_[thread / 32] |= 1U << thread % 32;
    if (!self.try_warp(thread)) self.wait_here(thread);
    if (flag) *flag = wait.flag;
    return wait.result;
}

// Whether all lanes in the thread's mask have arrived. If so, they may continue, and the thread
// itself continues at once.
bool BlockRunner::try_warp(std::uint32_t thread) {
    const std::uint32_t warp = thread / 32, mask = wait_[thread].mask,
                        present = mask & ~gone_[warp];
    if ((in_warp_[warp] & present) != present) return false;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (!(present >> lane & 1)) continue;
        const Wait& other = wait_[warp * 32 + lane];
        if (other.mask != mask || other.op != wait_[thread].op ||
            (other.what != wait_[thread].what && std::strcmp(other.what, wait_[thread].what) != 0))
            return false;
    }
    complete_warp(warp, present);
    return true;
}

namespace {

std::uint64_t reduced(lanes_warp_op op, std::uint64_t a, std::uint64_t b) {
    switch (op) {
        case lanes_warp_add:
            return a + b;
        case lanes_warp_min:
            return static_cast<std::uint64_t>(
                std::min(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)));
        case lanes_warp_max:
            return static_cast<std::uint64_t>(
                std::max(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)));
        case lanes_warp_umin:
            return std::min(a, b);
        case lanes_warp_umax:
            return std::max(a, b);
        case lanes_warp_and:
            return a & b;
        case lanes_warp_or:
            return a | b;
        default:
            return a ^ b;
    }
}

}  // namespace

void BlockRunner::complete_warp(std::uint32_t warp, std::uint32_t group) {
    Wait* const lanes = &wait_[std::size_t{warp} * 32];
    const auto first = static_cast<std::uint32_t>(__builtin_ctz(group));
    const lanes_warp_op op = lanes[first].op;
    std::uint32_t votes = 0;
    std::uint64_t total = lanes[first].value;
    for (std::uint32_t lane = first; lane < 32; ++lane) {
        if (!(group >> lane & 1)) continue;
        if (lanes[lane].value != 0) votes |= 1U << lane;
        if (op >= lanes_warp_add && op <= lanes_warp_xor && lane != first)
            total = reduced(op, total, lanes[lane].value);
    }
    for (std::uint32_t lane = first; lane < 32; ++lane) {
        if (!(group >> lane & 1)) continue;
        Wait& wait = lanes[lane];
        std::uint32_t equal = 0;
        switch (op) {
            case lanes_warp_sync:
                break;
            case lanes_warp_shuffle: {
                const auto source = static_cast<std::uint32_t>(wait.source) & 31U;
                const bool there = group >> source & 1;
                wait.result = there      ? lanes[source].value
                              : watcher_ ? watcher_->absent_value(wait.value)
                                         : wait.value;
                if (!there && watcher_)
                    watcher_->wrong_mask(place_of(warp * 32 + lane), wait.what, wait.mask, group,
                                         static_cast<int>(source), wait.code);
                break;
            }
            case lanes_warp_any:
                wait.result = votes != 0;
                break;
            case lanes_warp_all:
                wait.result = votes == group;
                break;
            case lanes_warp_uni:
                wait.result = votes == group || votes == 0;
                break;
            case lanes_warp_ballot:
                wait.result = votes;
                break;
            case lanes_warp_match_any:
            case lanes_warp_match_all:
                for (std::uint32_t other = 0; other < 32; ++other)
                    if (group >> other & 1 && lanes[other].value == wait.value)
                        equal |= 1U << other;
                wait.flag = equal == group;
                wait.result = op == lanes_warp_match_any || equal == group ? equal : 0;
                break;
            default:
                wait.result = total;
        }
        state_[position_of_[warp * 32 + lane]] = ready;
    }
    in_warp_[warp] &= ~group;
    if (watcher_) watcher_->warp_passed(warp, group, lanes[first].code);
}

// A lane has finished: those that waited for it may continue.
void BlockRunner::retry_warp(std::uint32_t warp) {
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        if (in_warp_[warp] >> lane & 1) try_warp(warp * 32 + lane);
}

// Whether all threads of the thread's tile have arrived at the same operation. If so, they may
// continue, and the thread itself continues at once.
bool BlockRunner::try_tile(std::uint32_t thread) {
    const Wait& mine = wait_[thread];
    const std::uint32_t first = thread / mine.mask * mine.mask,
                        end = std::min(first + mine.mask, threads_);
    int votes = 0;
    for (std::uint32_t other = end; other-- > first;) {  // from the one that arrives last
        const Wait& wait = wait_[other];
        if (state_[position_of_[other]] != in_tile || wait.mask != mine.mask ||
            std::strcmp(wait.what, mine.what) != 0)
            return false;
        votes += wait.value != 0;
    }
    for (std::uint32_t other = first; other < end; ++other) {
        Wait& wait = wait_[other];
        wait.result = wait_[std::min(first + std::uint32_t(wait.source), end - 1)].value;
        wait.flag = votes;
        state_[position_of_[other]] = ready;
    }
    if (watcher_) watcher_->tile_passed(first, end - first);
    return true;
}

// A thread that asks for the active lanes (__activemask) gets those that wait at the same place,
// once no other thread can arrive there.
bool BlockRunner::make_some_ready() {
    bool found = false;
    for (std::uint32_t thread = 0; thread < threads_; ++thread) {
        if (state_[position_of_[thread]] != asks_active) continue;
        const std::uint32_t warp = thread / 32;
        std::uint32_t group = 0;
        for (std::uint32_t other = thread; other < std::min(threads_, warp * 32 + 32); ++other)
            if (state_[position_of_[other]] == asks_active &&
                wait_[other].code == wait_[thread].code)
                group |= 1U << other % 32;
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            if (group >> lane & 1) {
                wait_[warp * 32 + lane].result = group;
                state_[position_of_[warp * 32 + lane]] = ready;
            }
        found = true;
    }
    if (found) position_ = threads_ - 1;
    // Without checks, finished threads count as arrived, as they do on a GPU.
    if (!found && waiting_ > 0 && waiting_ + done_ == threads_ && at_grid_ == 0 && !watcher_) {
        pass_barrier();
        found = true;
    }
    if (!found && watcher_) report_masks();
    return found;
}

// Reports lanes that wait in a warp operation for a lane that waits elsewhere: the mask is wrong.
// Threads that only wait at a barrier are reported by stuck().
void BlockRunner::report_masks() {
    for (std::uint32_t thread = 0; thread < threads_; ++thread)
        if (state_[position_of_[thread]] == in_warp) {
            const Wait& wait = wait_[thread];
            const std::uint32_t warp = thread / 32;
            std::uint32_t present = 0;
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                const Wait& other = wait_[warp * 32 + lane];
                if (in_warp_[warp] >> lane & 1 && other.mask == wait.mask &&
                    std::strcmp(other.what, wait.what) == 0)
                    present |= 1U << lane;
            }
            watcher_->wrong_mask(place_of(thread), wait.what, wait.mask, present, -1, wait.code);
            return;
        }
}

}  // namespace lanes::gpu::simulator
