// Processes: starting a session, finding and ending what a session left behind.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace xcpp_front {

// How a process ended, as waitpid reports it.
struct Ending {
    int signal = 0;  // 0: it exited
    int exit_code = 0;

    static Ending from(int wait_status);
    // "signal 11 (SIGSEGV, Segmentation fault)" or "exit code 3"
    std::string description() const;
};

struct SpawnPlan {
    std::string program;
    // What the child keeps, and the option that tells it the number: {"--channel", 5} becomes
    // "--channel 200" or the like.
    std::vector<std::pair<std::string, int>> descriptors;
    std::vector<std::string> arguments;
    int stdout_fd = -1;
    int stderr_fd = -1;
};

// The child dies with this process, leaves no core file, ignores SIGINT until it says otherwise,
// and reads /dev/null. Throws std::runtime_error.
pid_t spawn(const SpawnPlan& plan);

// When a process started, in clock ticks since the machine did. 0: there is no such process.
long long start_of(pid_t pid);

// True of one that nobody has waited for yet, too.
bool has_ended(pid_t pid);

// Descendants of this process, the first few dozen of them.
std::vector<pid_t> descendants();

// Private memory of a process that has been written to, in bytes; 0 if it cannot be read.
std::uint64_t private_bytes(pid_t pid);

// Kills every descendant of this process that started at or after `since`, except these. `reap`
// takes in children that have ended. False: some were still there when two seconds had passed.
bool kill_descendants(long long since, const std::vector<pid_t>& except,
                      const std::function<void()>& reap);

}  // namespace xcpp_front
