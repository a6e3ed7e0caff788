// A lock that processes share: a process that a cell forks writes to the same channel as the
// session, and a large frame takes several writes.
#pragma once

#include <pthread.h>

namespace xcpp_wire {

// `mutex` lies in memory that all of them map. Survives a process that dies while it holds it.
void make_send_lock(pthread_mutex_t& mutex);

class SendLock {
public:
    explicit SendLock(pthread_mutex_t* mutex);  // null: nothing is locked
    ~SendLock();
    SendLock(const SendLock&) = delete;
    SendLock& operator=(const SendLock&) = delete;

private:
    pthread_mutex_t* mutex_;
};

}  // namespace xcpp_wire
