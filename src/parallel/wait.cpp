#include "wait.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "worker_registry.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace lanes::parallel {

Wait::Wait(const char* operation, double seconds, const OnWait* on_wait)
    : operation_(operation), on_wait_(on_wait), limited_(seconds < 1e9) {
    if (limited_)
        until_ = Clock::now() + std::chrono::microseconds(static_cast<long long>(seconds * 1e6));
}

bool Wait::keep_waiting() const {
    // Workers ignore the interrupt button: the process that waits for them stops, and they stay for
    // the next cell.
    if (!inside_worker()) {
        if (interrupted()) throw Error(std::string(operation_) + ": interrupted while it waited.");
        if (on_wait_)
            (*on_wait_)();
        else
            throw_if_worker_died(operation_);
    }
    return !limited_ || Clock::now() < until_;
}

Wait::Clock::time_point Wait::next_poll() const {
    const auto next = Clock::now() + poll_interval;
    return limited_ ? std::min(next, until_) : next;
}

void sleep_on(const std::uint32_t* word, std::uint32_t seen, const Wait& wait) {
    const auto left = std::max(std::chrono::nanoseconds(0),
                               std::chrono::nanoseconds(wait.next_poll() - Wait::Clock::now()));
    const timespec time{left.count() / 1'000'000'000, left.count() % 1'000'000'000};
    syscall(SYS_futex, word, FUTEX_WAIT, seen, &time, nullptr, 0);
}

void wake(const std::uint32_t* word, int sleepers) {
    syscall(SYS_futex, word, FUTEX_WAKE, sleepers, nullptr, nullptr, 0);
}

}  // namespace lanes::parallel
