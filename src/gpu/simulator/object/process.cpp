#include "process.hpp"

#include "lanes/base/error.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace lanes::gpu::simulator {

SpawnAttributes::SpawnAttributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t none, usual;
    sigemptyset(&none);
    sigfillset(&usual);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

ProcessOutcome run_process(const std::vector<std::string>& arguments,
                           const std::string& temporary) {
    std::array<int, 2> pipe{};
    if (pipe2(pipe.data(), O_CLOEXEC) != 0)
        throw Error(arguments[0], ": no pipe (", std::strerror(errno),
                    "). Close files that are no longer needed.");
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, pipe[1], 1);
    posix_spawn_file_actions_adddup2(&files, pipe[1], 2);
    std::vector<char*> pointers;
    pointers.reserve(arguments.size() + 1);
    for (const auto& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    pid_t child = 0;
    // Messages are parsed, and stored notebook outputs contain them.
    std::string language = "LC_ALL=C";
    std::string place = "TMPDIR=" + temporary;
    std::vector<char*> variables{language.data()};
    if (!temporary.empty()) variables.push_back(place.data());
    for (char** variable = environ; *variable; ++variable)
        if (std::strncmp(*variable, "LC_ALL=", 7) != 0 &&
            (temporary.empty() || std::strncmp(*variable, "TMPDIR=", 7) != 0))
            variables.push_back(*variable);
    variables.push_back(nullptr);
    const int error = posix_spawnp(&child, pointers[0], &files, SpawnAttributes().get(),
                                   pointers.data(), variables.data());
    posix_spawn_file_actions_destroy(&files);
    close(pipe[1]);
    if (error != 0) close(pipe[0]);
    if (error != 0)
        throw Error(arguments[0], ": cannot be started (", std::strerror(error),
                    "). Install it or name another one.");

    ProcessOutcome outcome;
    std::array<char, 4096> part{};
    for (;;) {
        const ssize_t got = read(pipe[0], part.data(), part.size());
        if (got > 0)
            outcome.output.append(part.data(), static_cast<std::size_t>(got));
        else if (got == 0 || errno != EINTR)
            break;
    }
    close(pipe[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}

}  // namespace lanes::gpu::simulator
