#include "robust_mutex.hpp"

#include "lanes/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>

namespace lanes::parallel {

namespace {

void require(int error, const char* what) {
    LANES_REQUIRE(error == 0, "RobustMutex: ", what, " failed (", std::strerror(error),
                  "). Make a new queue.");
}

timespec after(std::chrono::nanoseconds time) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long nanoseconds = now.tv_nsec + time.count();
    return {now.tv_sec + nanoseconds / 1'000'000'000,
            static_cast<long>(nanoseconds % 1'000'000'000)};
}

}  // namespace

RobustMutex::RobustMutex() {
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_settype(&how, PTHREAD_MUTEX_ERRORCHECK);
    const int error = pthread_mutex_init(&mutex_, &how);
    pthread_mutexattr_destroy(&how);
    require(error, "making it");
}

bool RobustMutex::taken(int result) {
    if (result == EBUSY || result == ETIMEDOUT) return false;
    if (result != EOWNERDEAD) {
        require(result, "locking");
        return true;
    }
    ++deaths_;
    require(pthread_mutex_consistent(&mutex_), "taking over from a holder that died");
    return true;
}

bool RobustMutex::try_lock() { return taken(pthread_mutex_trylock(&mutex_)); }

bool RobustMutex::lock(const Wait& wait) {
    while (!try_lock()) {
        const timespec until = after(poll_interval);
        if (taken(pthread_mutex_clocklock(&mutex_, CLOCK_MONOTONIC, &until))) return true;
        if (!wait.keep_waiting()) return false;
    }
    return true;
}

void RobustMutex::unlock() { pthread_mutex_unlock(&mutex_); }

}  // namespace lanes::parallel
