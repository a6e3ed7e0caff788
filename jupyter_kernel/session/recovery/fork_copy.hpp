// A fork of the session that is not its child: a cell that waits for all its children would wait
// for it, and a cell's handler of SIGCHLD would hear of it. Its parent is the front, as the
// subreaper.
#pragma once

#include <sys/types.h>

namespace xcpp_session {

struct ForkedCopy {
    bool is_copy = false;  // this process is the copy; all signals are blocked in it
    pid_t pid = 0;         // of the copy, in the process that forked it
    int error = 0;         // errno, if there is no copy
};

ForkedCopy fork_copy();

// Ends a copy without a trace: nothing is flushed, no handler runs.
[[noreturn]] void end_quietly();

}  // namespace xcpp_session
