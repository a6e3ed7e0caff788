// A child process that can be interrupted.
#pragma once

#include "magics_run.hpp"

#include <string>
#include <vector>

namespace xcpp_session {

struct ProcessEnd {
    int status = 0;  // exit status; 128 + signal where a signal ended it
    int signal = 0;  // that ended it, or 0
    bool interrupted = false;
    std::string error;  // not empty: it was never started, and why
};

// Standard input is /dev/null. Standard output and error go into the file `output`, or where ours
// go. The child leads a process group of its own, so that what it started is interrupted with it.
ProcessEnd run_process(const std::vector<std::string>& arguments, Interrupted interrupted,
                       const std::string& output = "");

}  // namespace xcpp_session
