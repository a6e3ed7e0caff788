// A lock in shared memory that survives its holder: if a process dies while it holds the lock, the
// next one gets it. The protected data must therefore be valid after every instruction; the queues
// achieve this by committing a change with one atomic store at the end.
#pragma once

#include "wait.hpp"

#include <pthread.h>

namespace lanes::parallel {

class RobustMutex {
public:
    RobustMutex();
    RobustMutex(const RobustMutex&) = delete;
    RobustMutex& operator=(const RobustMutex&) = delete;

    // False: the wait's time is over. Waits for at least one tick: others hold the lock for
    // microseconds, and a call that must not wait for a job can still wait for them.
    bool lock(const Wait& wait);
    bool try_lock();
    void unlock();

    // How many processes have died while they held the lock. To be called by its holder.
    unsigned owner_deaths() const { return deaths_; }

private:
    bool taken(int result);

    pthread_mutex_t mutex_{};
    unsigned deaths_ = 0;
};

// Holds the lock until the end of the scope. If the wait has a time limit, ask whether it was
// reached before entering what the lock protects: `if (!guard) return ...;`.
class Guard {
public:
    Guard(RobustMutex& mutex, const Wait& wait) : mutex_(mutex), locked_(mutex.lock(wait)) {}
    ~Guard() {
        if (locked_) mutex_.unlock();
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    explicit operator bool() const { return locked_; }

private:
    RobustMutex& mutex_;
    bool locked_;
};

}  // namespace lanes::parallel
