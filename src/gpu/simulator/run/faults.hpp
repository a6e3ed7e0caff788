// Crashes of a CUDA kernel's own code. While a launch runs, the signals of a crash that come from a
// thread that runs CUDA code end only that code; all others go to whoever handled them before (the
// Jupyter kernel has handlers of its own).
#pragma once

#include <pthread.h>

#include <atomic>

namespace lanes::gpu::simulator {

class FaultGuard {
public:
    FaultGuard();  // counted: the first one installs the handlers, the last one takes them back
    ~FaultGuard();
    FaultGuard(const FaultGuard&) = delete;
    FaultGuard& operator=(const FaultGuard&) = delete;
};

// Once on each thread that will run CUDA code: a stack for the handler, and the signals let
// through. `asked` lives as long as the thread.
void prepare_thread_for_faults(std::atomic<bool>& asked);

void let_faults_through();  // after a fault: whoever called the handler may have blocked signals
                            // around it (a sanitizer does), and did not see it end

// Asks the thread to leave CUDA code that does not end. It does so only if it is in the compiled
// text itself and not, for instance, in the middle of malloc: ask again until it has. `asked` is
// true until the thread has seen it: before that, no FaultGuard may end.
void ask_to_leave(pthread_t thread, std::atomic<bool>& asked);

}  // namespace lanes::gpu::simulator
