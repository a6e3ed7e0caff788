// Runs another program and waits for its end.
#pragma once

#include <spawn.h>

#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// How a program is started: no signal is blocked or ignored in it, whatever this process does.
class SpawnAttributes {
public:
    SpawnAttributes();
    ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
    SpawnAttributes(const SpawnAttributes&) = delete;
    SpawnAttributes& operator=(const SpawnAttributes&) = delete;
    const posix_spawnattr_t* get() const { return &attributes_; }

private:
    posix_spawnattr_t attributes_{};
};

struct ProcessOutcome {
    int status = -1;     // exit status, or 128 + signal number
    std::string output;  // standard output and standard error together
};

// arguments[0] is searched in PATH. Standard input is empty. temporary: folder for the program's
// temporary files, if not the default one. Throws Error if the program cannot be started.
ProcessOutcome run_process(const std::vector<std::string>& arguments,
                           const std::string& temporary = "");

}  // namespace lanes::gpu::simulator
