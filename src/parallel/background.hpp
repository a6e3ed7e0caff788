// Lowers the priority of threads and workers that prepare data for a training thread. If there are
// more of them than cores, the training thread would otherwise lose its core, and the contents of
// that core's caches, about two hundred times per epoch.
#pragma once

#if defined(__linux__)
#include <sched.h>
#include <sys/resource.h>
#endif

namespace lanes {

// Of the calling thread and of the threads and processes that it starts later.
inline void work_in_background() {
#if defined(__linux__)
    // A third of the processor time of a thread with normal priority, if both want to run.
    constexpr int nicer = 5;
    // On Linux this holds for the calling thread only.
    ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + nicer);
    // A thread of this class does not preempt another one when it is woken.
    const sched_param none{};
    ::sched_setscheduler(0, SCHED_BATCH, &none);
#endif
}

}  // namespace lanes
