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

// What is in the pipe now; false at its end.
bool read_words(int fd, std::string& words) {
    char buffer[4096];
    for (;;) {
        const ssize_t count = ::read(fd, buffer, sizeof buffer);
        if (count > 0)
            words.append(buffer, static_cast<std::size_t>(count));
        else if (count < 0 && errno == EINTR)
            continue;
        else
            return count < 0 && errno == EAGAIN;
    }
}

}  // namespace

ProcessEnd run_process(const std::vector<std::string>& arguments, Interrupted interrupted,
                       std::string* words, const std::string& temporary) {
    ProcessEnd end;
    int pipe_ends[2] = {-1, -1};
    if (words && ::pipe2(pipe_ends, O_CLOEXEC) != 0) return {0, 0, false, std::strerror(errno)};
    SpawnActions plan;
    if (words) {
        ::posix_spawn_file_actions_adddup2(&plan.files, pipe_ends[1], 1);
        ::posix_spawn_file_actions_adddup2(&plan.files, pipe_ends[1], 2);
        ::fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
    }
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    std::string place = "TMPDIR=" + temporary;
    std::vector<char*> variables;
    if (!temporary.empty()) variables.push_back(place.data());
    for (char** variable = environ; *variable; ++variable)
        if (temporary.empty() || std::strncmp(*variable, "TMPDIR=", 7) != 0)
            variables.push_back(*variable);
    variables.push_back(nullptr);
    pid_t child = -1;
    const int failed = ::posix_spawnp(&child, argv[0], &plan.files, &plan.attributes, argv.data(),
                                      variables.data());
    if (words) ::close(pipe_ends[1]);
    if (failed != 0) {
        if (words) ::close(pipe_ends[0]);
        end.error = std::strerror(failed);
        return end;
    }
    const int watch = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
    Clock::time_point asked;
    int status = 0;
    for (;;) {
        pollfd waits[2] = {{watch, POLLIN, 0}, {words ? pipe_ends[0] : -1, POLLIN, 0}};
        ::poll(waits, 2, watch >= 0 ? 50 : 5);
        if (words && (waits[1].revents & (POLLIN | POLLHUP)) && !read_words(pipe_ends[0], *words)) {
            ::close(pipe_ends[0]);
            words = nullptr;
        }
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
    if (words) {
        read_words(pipe_ends[0], *words);
        ::close(pipe_ends[0]);
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
