// A counter in shared memory on which processes sleep until it changes. If a sleeping process is
// killed, nothing has to be repaired.
#pragma once

#include "wait.hpp"

#include <atomic>
#include <climits>
#include <cstdint>

namespace lanes::parallel {

class Event {
public:
    std::uint32_t seen() const { return number_.load(std::memory_order_acquire); }

    // Sleeps until something happens, at most until the next look of the wait. Returns at once if
    // something has happened since `seen` was read.
    void sleep(std::uint32_t seen, const Wait& wait) {
        sleepers_.fetch_add(1);
        sleep_on(word(), seen, wait);
        sleepers_.fetch_sub(1);
    }

    void notify_one() { happened_for(1); }
    void notify_all() { happened_for(INT_MAX); }

    // Wakes no process: for events that an awake process will notice anyway.
    void advance() { number_.fetch_add(1, std::memory_order_acq_rel); }

    // Wakes one more sleeper although nothing new has happened: there is more work than the caller
    // can do alone.
    void wake_another() {
        if (sleepers_.load() > 0) wake(word(), 1);
    }

private:
    void happened_for(int wakes) {
        number_.fetch_add(1, std::memory_order_acq_rel);
        if (sleepers_.load() > 0) wake(word(), wakes);
    }

    const std::uint32_t* word() const { return reinterpret_cast<const std::uint32_t*>(&number_); }

    std::atomic<std::uint32_t> number_{0};
    // A process that is killed in its sleep stays counted. The only cost is a needless system call
    // per event.
    std::atomic<std::uint32_t> sleepers_{0};
};

}  // namespace lanes::parallel
