// Every wait can end: by what is waited for, by its time limit, by the interrupt button, or because
// a worker has died who would have brought it. So a wait sleeps a tick at a time and looks around
// in between.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace lanes::parallel {

constexpr std::chrono::milliseconds tick{20};

class Wait {
public:
    using Clock = std::chrono::steady_clock;
    using OnWait = std::function<void()>;  // looks after workers, may throw

    // operation: as errors name it. seconds: infinity for no limit. on_wait: instead of the look at
    // every worker that this process has started.
    Wait(const char* operation, double seconds, const OnWait* on_wait = nullptr);

    // To be called about once a tick. False: the time is over. Throws Error where the wait is to
    // end otherwise.
    bool go_on() const;

    const char* operation() const { return operation_; }
    Clock::time_point next_look() const;  // now and a tick, or the limit if that comes first

private:
    const char* operation_;
    const OnWait* on_wait_;
    bool limited_;
    Clock::time_point until_;
};

// Sleeps until `word` is no longer `seen`, somebody wakes it, or the next look is due. The word may
// be in shared memory.
void sleep_on(const std::uint32_t* word, std::uint32_t seen, const Wait& wait);
void wake(const std::uint32_t* word, int sleepers);

}  // namespace lanes::parallel
