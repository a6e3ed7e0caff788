#include "wait.hpp"

#include "lanes/base/interrupt.hpp"

#include <chrono>
#include <thread>

namespace lanes::gpu::cuda {

namespace {

constexpr Result not_ready = 600;

// The GPU is asked again and again, as the driver's own waiting does: its answer comes within
// microseconds.
template <class Query>
Result wait_until_ready(const Query& query) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds between_looks(1);
    constexpr std::chrono::milliseconds patience(500);  // the Jupyter kernel has it for a second
    Result result = query();
    Clock::time_point next_poll = Clock::now() + between_looks;
    Clock::time_point give_up = Clock::time_point::max();
    while (result == not_ready) {
        std::this_thread::yield();
        result = query();
        const Clock::time_point now = Clock::now();
        if (result != not_ready || now < next_poll) continue;
        if (now >= give_up) return interrupted_wait;
        if (give_up == Clock::time_point::max() && interrupted()) give_up = now + patience;
        next_poll = now + between_looks;
    }
    return result;
}

}  // namespace

Result wait_for(const Driver& d, StreamHandle stream) {
    return wait_until_ready([&] { return d.query_stream(stream); });
}

Result wait_for(const Driver& d, EventHandle event) {
    return wait_until_ready([&] { return d.query_event(event); });
}

}  // namespace lanes::gpu::cuda
