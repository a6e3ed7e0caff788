// A barrier for threads that meet every few microseconds. They spin, because sleeping would cost
// more than the wait, and yield if the wait is long: then another thread probably needs the core.
#pragma once

#include <atomic>
#include <thread>

namespace lanes::fused {

// Tells the processor that this thread spins. Not to be called in every iteration: a hypervisor may
// take a virtual CPU that pauses all the time for an idle one, and schedule another.
inline void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

class Barrier {
public:
    explicit Barrier(unsigned threads) : threads_(threads) {}

    void wait() {
        if (threads_ == 1) return;
        const unsigned round = round_.load(std::memory_order_relaxed);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
            arrived_.store(0, std::memory_order_relaxed);
            round_.store(round + 1, std::memory_order_release);
            return;
        }
        for (unsigned spins = 0; round_.load(std::memory_order_acquire) == round; ++spins) {
            if (spins >= spins_before_yield)
                std::this_thread::yield();
            else if (spins % 16 == 0)
                pause();
        }
    }

private:
    // About 20 microseconds. A longer wait means that another thread has lost its core.
    static constexpr unsigned spins_before_yield = 8000;

    const unsigned threads_;
    alignas(64) std::atomic<unsigned> arrived_{0};
    alignas(64) std::atomic<unsigned> round_{0};
};

}  // namespace lanes::fused
