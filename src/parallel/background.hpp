// For a thread or a worker that works for another one, and that one needs the processor more: it
// goes behind. Where there are more of them than cores, the one that trains would otherwise lose
// its core, and what it has in that core's caches, some two hundred times an epoch.
#pragma once

#if defined(__linux__)
#include <sched.h>
#include <sys/resource.h>
#endif

namespace lanes {

inline void work_in_background() {
#if defined(__linux__)
    constexpr int nicer = 5;  // a third of the share of others; threads that nobody needs the
                              // processor of lose nothing
    ::setpriority(PRIO_PROCESS, 0,
                  ::getpriority(PRIO_PROCESS, 0) + nicer);  // on Linux of this thread alone
    const sched_param none{};
    ::sched_setscheduler(
        0, SCHED_BATCH,
        &none);  // whoever is woken in this class waits for its turn and pushes nobody off a core
#endif
}

}  // namespace lanes
