// What a cell can set for the whole process and the session cannot live with: limits (RLIMIT_…),
// signals that are blocked or come at the wrong time, traps of floating-point numbers. The cell has
// its own of these while it runs; afterwards the session's are restored.
#pragma once

#include <fenv.h>
#include <sys/resource.h>

namespace xcpp_session {

class ProcessSettings {
public:
    // lost: set to a name where the system allows nobody to put it back (a hard limit that an
    // ordinary user has lowered). Allocates nothing: there may be no memory to be had before the
    // limits are back.
    explicit ProcessSettings(const char*& lost);
    ~ProcessSettings();
    ProcessSettings(const ProcessSettings&) = delete;
    ProcessSettings& operator=(const ProcessSettings&) = delete;

private:
    const char*& lost_;
    rlimit limits_[RLIMIT_NLIMITS]{};
};

// Signals that a cell may have asked for (SIGUSR1, SIGCHLD, …) wait until the next cell runs, and
// timers are stopped: a handler of the cell's would find the compiler or the allocator in the
// middle of something, and one that nobody handles would end the session.
void hold_signals_of_cells();
// In a copy that took over: a timer that ended the cell would end the next, too.
void forget_timers();

}  // namespace xcpp_session
