// A number in shared memory on which processes sleep until somebody moves it. Nothing has to be put
// right where a sleeper is killed.
#pragma once

#include "wait.hpp"

#include <atomic>
#include <climits>
#include <cstdint>

namespace lanes::parallel {

class Event {
public:
    std::uint32_t seen() const { return number_.load(std::memory_order_acquire); }

    // Sleeps unless something has happened since `seen` was asked for; at most until the next look
    // of the wait is due.
    void sleep(std::uint32_t seen, const Wait& wait) {
        sleepers_.fetch_add(1);
        sleep_on(word(), seen, wait);
        sleepers_.fetch_sub(1);
    }

    void happened() { happened_for(1); }
    void happened_for_all() { happened_for(INT_MAX); }

    // Nobody is woken, for somebody is awake who will see it.
    void happened_for_none() { number_.fetch_add(1, std::memory_order_acq_rel); }

    // Nothing has happened, but there is more to do than whoever calls this can do alone.
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
    std::atomic<std::uint32_t> sleepers_{0};  // one that was killed in its sleep stays counted:
                                              // that costs a call in vain now and then
};

}  // namespace lanes::parallel
