#include "fork_pace.hpp"

#include <pthread.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

namespace xcpp_session {
namespace {

constexpr std::int32_t free_processes = 256;
constexpr std::int64_t nanoseconds_per_turn = 5'000'000;

xcpp_wire::SharedState* shared = nullptr;

// Threads of all users: those of others may let a cell wait, too, but to count its own would mean
// to look at every process.
std::int32_t living_threads() {
    struct sysinfo info{};
    sysinfo(&info);
    return info.procs;
}

void wait_for_turn() {
    if (living_threads() <= shared->threads_before + free_processes) return;
    const int error = errno;
    const std::int64_t now =
        std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
    std::int64_t last = shared->last_fork;
    std::int64_t turn = 0;
    do turn = std::max(last, now) + nanoseconds_per_turn;
    while (!shared->last_fork.compare_exchange_weak(last, turn));
    std::this_thread::sleep_for(std::chrono::nanoseconds(turn - now));
    errno = error;
}

}  // namespace

void pace_forks(xcpp_wire::SharedState& page) {
    shared = &page;
    begin_fork_pace();
    pthread_atfork(wait_for_turn, nullptr, nullptr);
}

void begin_fork_pace() {
    shared->threads_before = living_threads();
    shared->last_fork = 0;
}

}  // namespace xcpp_session
