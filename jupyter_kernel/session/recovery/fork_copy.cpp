#include "fork_copy.hpp"

#include "session/process/fork_pace.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace xcpp_session {
namespace {

int status_of(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

}  // namespace

// A child forks the copy and ends.
ForkedCopy fork_copy() {
    ForkedCopy result;
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    begin_fork_pace();  // this fork does not wait for those of the last cell
    volatile int error = 0;
    volatile pid_t pid = 0;
    const pid_t intermediate =
        vfork();  // NOLINT(bugprone-unsafe-functions): it forks and ends, nothing else fits
    if (intermediate == 0) {
        const pid_t copy = fork();
        if (copy < 0) error = errno;
        pid = copy;
        if (copy != 0) syscall(SYS_exit_group, error);
        result.is_copy = true;
        return result;
    }
    if (intermediate > 0) {
        // The status is lost if a cell has told the system to forget ended children.
        const int status = status_of(intermediate);
        result.error = error != 0 ? error : (pid > 0 ? 0 : status);
        result.pid = pid;
        // The child's end left a SIGCHLD behind that no cell asked for.
        sigset_t child;
        sigemptyset(&child);
        sigaddset(&child, SIGCHLD);
        const timespec now{};
        sigtimedwait(&child, nullptr, &now);
    } else {
        result.error = errno;
    }
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return result;
}

void end_quietly() {
    syscall(SYS_exit_group, 0);
    __builtin_unreachable();
}

}  // namespace xcpp_session
