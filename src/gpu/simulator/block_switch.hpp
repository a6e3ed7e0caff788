// Switching from one CUDA thread to the next: the innermost loop of every block with barriers, so it is inlined into its callers. A switch saves one frame.
#pragma once

#include "block_runner.hpp"

namespace lanes::gpu::simulator {

#define LANES_INLINE_SWITCH [[gnu::always_inline]] inline

LANES_INLINE_SWITCH void BlockRunner::resume(Fiber& fiber) {
    leaving_ = current_fiber_;
    current_fiber_ = &fiber;
    arrived(boost::context::detail::jump_fcontext(fiber.context, this));
}

// The next position behind the current one, round about, whose thread can run. False when all are done.
LANES_INLINE_SWITCH bool BlockRunner::find_next(std::uint32_t& position) {
    const std::uint32_t next = position_ + 1;
    if (next < threads_ && state_[next] <= ready) return position = next, true;
    return search_next(position);
}

LANES_INLINE_SWITCH void BlockRunner::go_to(std::uint32_t position) {
    position_ = position;
    if (state_[position] != ready) return start(position);
    Fiber& fiber = fibers_[wait_[thread_at(position)].fiber];
    if (&fiber != current_fiber_) resume(fiber);
}

LANES_INLINE_SWITCH void BlockRunner::wait_here(std::uint32_t thread) {
    wait_[thread].fiber = static_cast<std::uint16_t>(current_fiber_ - fibers_.data());
    std::uint32_t next = 0;
    find_next(next);
    go_to(next);
    if (!entry_->loop) show(thread);
}

#undef LANES_INLINE_SWITCH

}  // namespace lanes::gpu::simulator
