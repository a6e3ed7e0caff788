// Every wait ends: because its event comes, by its time limit, by the interrupt button, or because
// a worker has died. So a wait sleeps for one tick at a time and checks all of these in between.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace lanes::parallel {

constexpr std::chrono::milliseconds poll_interval{20};

class Wait {
public:
    using Clock = std::chrono::steady_clock;
    using OnWait = std::function<void()>;

    // operation: its name in error messages. seconds: infinity for no limit. on_wait: called by
    // keep_waiting, instead of the check of every worker that this process has started; may throw.
    Wait(const char* operation, double seconds, const OnWait* on_wait = nullptr);

    // To be called about once per poll_interval, by the thread that waits. False: the time is over.
    // Throws Error if the interrupt button was pressed or a worker has died, and whatever on_wait
    // throws. In a worker process only the time is checked.
    bool keep_waiting() const;

    const char* operation() const { return operation_; }
    Clock::time_point next_poll() const;  // one tick from now, or the limit if that comes first

private:
    const char* operation_;
    const OnWait* on_wait_;
    bool limited_;
    Clock::time_point until_;
};

// Sleeps until `word` differs from `seen`, a call of wake, or the next look of `wait`. The word may
// be in shared memory.
void sleep_on(const std::uint32_t* word, std::uint32_t seen, const Wait& wait);
void wake(const std::uint32_t* word, int sleepers);

}  // namespace lanes::parallel
