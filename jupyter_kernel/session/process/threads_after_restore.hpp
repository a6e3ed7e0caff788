// Threads that a take-over has lost. The copy that goes on holds one thread, the one that forked
// it; of the others it has std::thread objects that wait for nobody, and glibc crashes where they
// are joined.
#pragma once

#include <pthread.h>

#include <atomic>

namespace xcpp_session {

struct ThreadSlot {
    enum State { unused, running, ended, detached, lost, lost_after_its_end };
    std::atomic<pthread_t> id{};
    std::atomic<State> state{unused};
};

// A slot for a thread that is about to be started and can be joined, or nullptr where there are too
// many. No locks: a fork may come at any time.
ThreadSlot* take_thread_slot();
void thread_started(ThreadSlot* slot, pthread_t id);
void thread_not_started(ThreadSlot* slot);
void thread_ended(ThreadSlot* slot);  // said by the thread itself

// By the place from which pthread_create is called: std::thread, or no library at all. OpenMP and
// BLAS know themselves what a fork does to their threads.
bool is_a_cells_thread(const void* caller);

// In a copy that has taken over.
void threads_are_lost();

}  // namespace xcpp_session
