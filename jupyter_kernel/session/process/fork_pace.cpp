#include "fork_pace.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace xcpp_session {
namespace {

constexpr std::int32_t free_processes = 256;
constexpr std::int64_t nanoseconds_a_second = 1'000'000'000;
constexpr std::int64_t nanoseconds_a_turn = nanoseconds_a_second / 200;

xcpp_wire::SharedPage* shared = nullptr;
bool unpaced = false;

// Threads of all users: others' may let a cell wait, too, but a count of its own would have to look
// at every process. 0: not known.
std::int32_t living_threads() {
    const int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[128] = {};
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    const char* slash =
        length > 0 ? std::strchr(text, '/') : nullptr;  // "0.20 0.18 0.12 1/80 11206": 1 of 80 runs
    return slash ? static_cast<std::int32_t>(std::strtol(slash + 1, nullptr, 10)) : 0;
}

void wait_for_turn() {
    if (unpaced || shared == nullptr) return;
    const int error = errno;
    if (living_threads() > shared->threads_before + free_processes) {
        timespec time{};
        clock_gettime(CLOCK_MONOTONIC, &time);
        const std::int64_t now = time.tv_sec * nanoseconds_a_second + time.tv_nsec;
        std::int64_t last = shared->last_fork;
        std::int64_t turn = 0;
        do {
            turn = std::max(last, now) + nanoseconds_a_turn;
        } while (!shared->last_fork.compare_exchange_weak(last, turn));
        const timespec until{turn / nanoseconds_a_second, turn % nanoseconds_a_second};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
    }
    errno = error;
}

}  // namespace

void pace_forks(xcpp_wire::SharedPage& page) {
    shared = &page;
    begin_fork_pace();
    pthread_atfork(wait_for_turn, nullptr, nullptr);
}

void begin_fork_pace() {
    if (shared == nullptr) return;
    shared->threads_before = living_threads();
    shared->last_fork = 0;
}

ForksUnpaced::ForksUnpaced() { unpaced = true; }
ForksUnpaced::~ForksUnpaced() { unpaced = false; }

}  // namespace xcpp_session
