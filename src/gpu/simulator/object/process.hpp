// Another program, run to its end.
#pragma once

#include <string>
#include <vector>

namespace lanes::gpu::simulator {

struct ProcessOutcome {
    int status = -1;     // exit status; 128 + signal
    std::string output;  // standard output and standard error together
};

// arguments[0] is looked for in PATH. Standard input is empty. temporary: where the program shall
// put its own temporary files, if not where this one would. Throws Error where it cannot be
// started.
ProcessOutcome run_process(const std::vector<std::string>& arguments,
                           const std::string& temporary = "");

}  // namespace lanes::gpu::simulator
