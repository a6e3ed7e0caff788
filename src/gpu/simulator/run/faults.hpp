// Crashes of a CUDA kernel's own code. While a launch runs, a crash signal of a thread that runs
// CUDA code ends only that code; all other signals go to the handlers that were installed before
// (the Jupyter kernel has its own).
#pragma once

#include <pthread.h>
#include <signal.h>

#include <atomic>

namespace lanes::gpu::simulator {

class FaultGuard {
public:
    FaultGuard();  // counted: the first one installs the handlers, the last one restores the old
                   // ones
    ~FaultGuard();
    FaultGuard(const FaultGuard&) = delete;
    FaultGuard& operator=(const FaultGuard&) = delete;
};

// Blocks all signals of this thread, also for threads that it starts meanwhile: one that is asked
// to leave before prepare_thread_for_faults sees the signal there.
class SignalsWait {
public:
    SignalsWait();
    ~SignalsWait();
    SignalsWait(const SignalsWait&) = delete;
    SignalsWait& operator=(const SignalsWait&) = delete;

private:
    sigset_t before_;
};

// Called once on each thread that will run CUDA code: allocates a stack for the handler and
// unblocks the signals. `asked` must live as long as the thread.
void prepare_thread_for_faults(std::atomic<bool>& asked);

// Unblocks the signals after a fault. The caller of the handler may have blocked them (a sanitizer
// does), and the handler did not return to it.
void let_faults_through();

// Asks the thread to leave CUDA code that does not end. It leaves only if it is in the compiled
// text itself, and not for instance inside malloc: repeat the call until it has left. `asked` is
// true until the thread has seen the signal; before that, no FaultGuard may end.
void request_stop(pthread_t thread, std::atomic<bool>& asked);

}  // namespace lanes::gpu::simulator
