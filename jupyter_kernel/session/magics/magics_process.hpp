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

// Standard input is /dev/null. `words` (may be null) collects its standard output and error;
// otherwise both go where ours go. The child leads a process group of its own, so that what it
// started is interrupted with it. temporary: where it shall put its own temporary files, if not
// where ours go.
ProcessEnd run_process(const std::vector<std::string>& arguments, Interrupted interrupted,
                       std::string* words, const std::string& temporary = "");

}  // namespace xcpp_session
