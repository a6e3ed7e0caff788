// Threads that a take-over has lost. The frozen copy that continues has one thread, the one that
// forked it; of the others it has std::thread objects that refer to nothing, and glibc crashes if
// they are joined. Here pthread_join and pthread_detach are interposed: for a lost thread they
// return at once, with a message.
#pragma once

#include <pthread.h>

namespace xcpp_session {

// After pthread_create has returned.
void thread_was_started(pthread_t id);

// A thread that has returned from its function needs no message when it is joined.
class ThreadEnd {
public:
    ThreadEnd();  // in the new thread, before its function is called
    ~ThreadEnd();
    ThreadEnd(const ThreadEnd&) = delete;
    ThreadEnd& operator=(const ThreadEnd&) = delete;
};

// In a copy that has taken over.
void threads_are_lost();

}  // namespace xcpp_session
