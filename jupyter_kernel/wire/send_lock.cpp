#include "send_lock.hpp"

#include <cerrno>

namespace xcpp_wire {

void make_send_lock(pthread_mutex_t& mutex) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &kind);
    pthread_mutexattr_destroy(&kind);
}

SendLock::SendLock(pthread_mutex_t* mutex) : mutex_(mutex) {
    if (mutex_ == nullptr) return;
    const int result = pthread_mutex_lock(mutex_);
    // Its owner has died. If it was killed in the middle of a frame, the front reads the next one
    // as the rest of that frame, finds no message in it, and ends the session: the copy takes over.
    if (result == EOWNERDEAD)
        pthread_mutex_consistent(mutex_);
    else if (result != 0)
        mutex_ = nullptr;  // better a frame that may be torn than none
}

SendLock::~SendLock() {
    if (mutex_ != nullptr) pthread_mutex_unlock(mutex_);
}

}  // namespace xcpp_wire
