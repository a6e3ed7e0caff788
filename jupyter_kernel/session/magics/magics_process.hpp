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
    std::string error;       // not empty: it was never started, and why
    std::string last_words;  // the end of its standard error, if the plan wants it
};

struct ProcessPlan {
    std::vector<std::string> arguments;    // the program, looked for in PATH, first
    std::vector<std::string> environment;  // NAME=value, beside ours
    std::string output;  // file for standard output and error; empty: they go where ours go
    // The program starts processes that are not in its group, as mpirun and srun do: when it is
    // interrupted it gets SIGTERM before SIGKILL, so that it can end them.
    bool starts_others = false;
    bool keeps_last_words = false;  // standard error goes where ours goes, and its end is kept
};

// Standard input is /dev/null. The child leads a process group of its own, so that what it started
// is interrupted with it: by SIGINT, and by SIGKILL a second later.
ProcessEnd run_process(const ProcessPlan& plan, Interrupted interrupted);

// Kills each process of this user that has NAME=value in its environment, and not ourselves.
void kill_processes_with(const std::string& variable);

}  // namespace xcpp_session
