// A lock in shared memory that survives its holder: where a process dies inside, the next one gets
// the lock and goes on. What it guards must therefore be right after every single instruction
// inside; the queues see to that by committing with one atomic store at the end.
#pragma once

#include "wait.hpp"

#include <pthread.h>

namespace lanes::parallel {

class RobustMutex {
public:
    RobustMutex();
    RobustMutex(const RobustMutex&) = delete;
    RobustMutex& operator=(const RobustMutex&) = delete;

    bool lock(const Wait& wait);  // false: the wait's time is over
    bool try_lock();
    void unlock();

    unsigned deaths() const { return deaths_; }  // of holders so far; to be asked by a holder

private:
    bool taken(int result);

    pthread_mutex_t mutex_{};
    unsigned deaths_ = 0;
};

// Holds the lock until the end of the scope; for waits without a limit.
class Guard {
public:
    Guard(RobustMutex& mutex, const Wait& wait) : mutex_(mutex) { mutex_.lock(wait); }
    ~Guard() { mutex_.unlock(); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

private:
    RobustMutex& mutex_;
};

}  // namespace lanes::parallel
