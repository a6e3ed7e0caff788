// A barrier for threads that meet every few microseconds: they spin, because going to sleep would
// cost more than the wait, and give way where a core has more to do than this.
#pragma once

#include <atomic>
#include <thread>

namespace lanes::fused {

// Not at each look: a virtual machine takes a processor that pauses again and again for one that
// has nothing to do, and gives it to somebody else.
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
            if (spins >= patience)
                std::this_thread::yield();
            else if (spins % 16 == 0)
                pause();
        }
    }

private:
    static constexpr unsigned patience =
        8000;  // about 20 microseconds: longer waits mean that a thread lost its core

    const unsigned threads_;
    alignas(64) std::atomic<unsigned> arrived_{0};
    alignas(64) std::atomic<unsigned> round_{0};
};

}  // namespace lanes::fused
