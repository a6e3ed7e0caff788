#include "magics_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

extern char** environ;

namespace xcpp_session {
namespace {

using Clock = std::chrono::steady_clock;

// Owns what posix_spawn wants to know.
struct SpawnActions {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    SpawnActions() {
        ::posix_spawn_file_actions_init(&files);
        ::posix_spawnattr_init(&attributes);
        sigset_t none, usual;
        sigemptyset(&none);
        sigemptyset(&usual);
        for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGQUIT, SIGCHLD})
            sigaddset(&usual, signal);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &usual);
        ::posix_spawnattr_setpgroup(&attributes, 0);
        ::posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
        ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    ~SpawnActions() {
        ::posix_spawn_file_actions_destroy(&files);
        ::posix_spawnattr_destroy(&attributes);
    }
};

}  // namespace

ProcessEnd run_process(const std::vector<std::string>& arguments, Interrupted interrupted,
                       const std::string& output) {
    ProcessEnd end;
    SpawnActions plan;
    if (!output.empty()) {
        ::posix_spawn_file_actions_addopen(&plan.files, 1, output.c_str(),
                                           O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::posix_spawn_file_actions_adddup2(&plan.files, 1, 2);
    }
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_t child = -1;
    if (const int failed =
            ::posix_spawnp(&child, argv[0], &plan.files, &plan.attributes, argv.data(), environ)) {
        end.error = std::strerror(failed);
        return end;
    }
    const int watch = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
    Clock::time_point asked;
    int status = 0;
    for (;;) {
        pollfd ends = {watch, POLLIN, 0};
        ::poll(&ends, 1, watch >= 0 ? 50 : 5);
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno == ECHILD)) break;
        if (!end.interrupted && interrupted && interrupted()) {
            end.interrupted = true;
            asked = Clock::now();
            ::kill(-child, SIGINT);
        } else if (end.interrupted && Clock::now() - asked > std::chrono::seconds(1)) {
            ::kill(-child, SIGKILL);
        }
    }
    if (watch >= 0) ::close(watch);
    // A command that ignored the interrupt and ended by itself was interrupted all the same; what
    // it left in its group goes with it.
    if (end.interrupted) ::kill(-child, SIGKILL);
    end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end.status = end.signal > 0 ? 128 + end.signal : WEXITSTATUS(status);
    return end;
}

}  // namespace xcpp_session
