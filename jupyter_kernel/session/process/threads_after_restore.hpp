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
    explicit ThreadEnd(bool is_counted);  // in the new thread, before its function is called
    ~ThreadEnd();
    ThreadEnd(const ThreadEnd&) = delete;
    ThreadEnd& operator=(const ThreadEnd&) = delete;
};

// In a copy that has taken over.
void threads_are_lost();

// How many threads run that a take-over would lose: not those of OpenMP and OpenBLAS, which are
// started again when they are needed, and not those that have said that they are replaceable.
int counted_threads();
// Before pthread_create: true if a thread that runs this function counts.
bool count_thread(void* (*function)(void*));
void thread_did_not_start();   // after it was counted
void thread_is_replaceable();  // by the thread itself

}  // namespace xcpp_session
