// Switching stacks, by Boost.Context.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>

namespace lanes::gpu::simulator {

using FiberEntry = void (*)(void* argument);  // never returns

// A stack that is not running.
struct SavedStack {
    boost::context::detail::fcontext_t context = nullptr;
    FiberEntry entry = nullptr;
};

struct Arrival {
    SavedStack* leaving;
    FiberEntry entry;
    void* argument;
};

// The argument reaches the entry function of a stack that has not run yet; any other stack finds
// its own argument again.
inline void switch_stack(SavedStack& from, const SavedStack& to, void* argument) {
    Arrival arrival{&from, to.entry, argument};
    const auto arrived = boost::context::detail::jump_fcontext(to.context, &arrival);
    // Where to resume the stack that switched to this one.
    static_cast<Arrival*>(arrived.data)->leaving->context = arrived.fctx;
}

inline void begin_stack(SavedStack& stack, void* top, FiberEntry entry) {
    stack.entry = entry;
    stack.context = boost::context::detail::make_fcontext(
        top, std::size_t{64} * 1024, [](boost::context::detail::transfer_t arrived) {
            const Arrival arrival = *static_cast<Arrival*>(arrived.data);
            arrival.leaving->context = arrived.fctx;
            arrival.entry(arrival.argument);
        });
}

}  // namespace lanes::gpu::simulator
