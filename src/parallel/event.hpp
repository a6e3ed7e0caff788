// A number in shared memory on which processes sleep until somebody moves it. Nothing has to be put right where a sleeper is killed.
#pragma once

#include "wait.hpp"

#include <atomic>
#include <climits>
#include <cstdint>

namespace lanes::parallel {

class Event {
public:
    std::uint32_t seen() const { return number_.load(std::memory_order_acquire); }

    // Sleeps unless something has happened since `seen` was asked for; at most until the next look of the wait is due.
    void sleep(std::uint32_t seen, const Wait& wait) {
        sleepers_.fetch_add(1);
        sleep_on(word(), seen, wait);
        sleepers_.fetch_sub(1);
    }

    void happened(int wakes = 1) {
        number_.fetch_add(1, std::memory_order_acq_rel);
        if (sleepers_.load() > 0) wake(word(), wakes);
    }
    void happened_for_all() { happened(INT_MAX); }

private:
    const std::uint32_t* word() const { return reinterpret_cast<const std::uint32_t*>(&number_); }

    std::atomic<std::uint32_t> number_{0};
    std::atomic<std::uint32_t> sleepers_{0};  // one that was killed in its sleep stays counted: that costs a call in vain now and then
};

}  // namespace lanes::parallel
