// Threads that a take-over has lost. The frozen copy that continues has one thread, the one that
// forked it; of the others it has std::thread objects that refer to nothing, and glibc crashes if
// they are joined. Cells find the functions pthread_join and pthread_detach of this file before
// those of glibc: for a lost thread they return at once, with a message.
//
// glibc may give the id of a lost thread to a new one. As long as that one runs, a join of the lost
// thread waits for it.
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
