// Switching from one CUDA thread to the next. This is the innermost loop of every block with
// barriers, so it is inlined into its callers. A switch saves one frame.
#pragma once

#include "block_runner.hpp"

namespace lanes::gpu::simulator {

#define LANES_INLINE_SWITCH [[gnu::always_inline]] inline

LANES_INLINE_SWITCH void BlockRunner::resume(Fiber& fiber) {
    Fiber& leaving = *current_fiber_;
    current_fiber_ = &fiber;
    switch_stack(leaving.stack, fiber.stack, this);
}

// The next position after the current one, wrapping around, whose thread can run. Returns false if
// all threads are done.
LANES_INLINE_SWITCH bool BlockRunner::find_next(std::uint32_t& position) {
    const std::uint32_t next = position_ + 1;
    if (next < threads_ && state_[next] <= ready) return position = next, true;
    return search_next(position);
}

LANES_INLINE_SWITCH void BlockRunner::go_to(std::uint32_t position) {
    position_ = position;
    if (state_[position] != ready) return start(position);
    Fiber& fiber = fibers_[fiber_of_[thread_at(position)]];
    // The stacks of all threads do not fit into the first-level cache: prefetch what the thread
    // after the next one left on its stack.
    if (position + 2 < threads_) {
        const auto* stack = *reinterpret_cast<const char* const*>(
            &fibers_[fiber_of_[thread_at(position + 2)]].stack);
        for (std::ptrdiff_t line = 0; line < 4; ++line) __builtin_prefetch(stack + 64 * line, 1);
    }
    if (&fiber != current_fiber_) resume(fiber);
}

LANES_INLINE_SWITCH void BlockRunner::wait_here(std::uint32_t thread) {
    fiber_of_[thread] = static_cast<std::uint16_t>(current_fiber_ - fibers_.data());
    std::uint32_t next = 0;
    find_next(next);
    go_to(next);
    if (watcher_) show(thread);
}

#undef LANES_INLINE_SWITCH

}  // namespace lanes::gpu::simulator
