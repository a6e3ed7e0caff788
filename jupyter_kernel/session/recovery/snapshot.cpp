#include "snapshot.hpp"

#include "crash_record.hpp"
#include "session/process/fork_pace.hpp"
#include "session/process/threads_after_restore.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace xcpp_session {
namespace {

class AllSignalsBlocked {
public:
    AllSignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, &before_);
    }
    ~AllSignalsBlocked() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    AllSignalsBlocked(const AllSignalsBlocked&) = delete;
    AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

private:
    sigset_t before_{};
};

// OpenBLAS stays on one thread in a forked process until it is asked twice.
void wake_blas() {
    using Set = void (*)(int);
    using Get = int (*)();
    const auto set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
    const auto get = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
    if (!set || !get) return;
    const int threads = get();
    if (threads < 2) return;
    set(1);
    set(threads);
}

[[noreturn]] void go_away() {
    syscall(SYS_exit_group, 0);
    __builtin_unreachable();
}

int status_of(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

// In the copy. Returns when it is to take over.
void wait_for_order(Snapshot& result, int cell) {
    // Interrupts and terminations of the process group are the original's business, and SIGKILL
    // cannot be ignored.
    setpgid(0, 0);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    try {
        result.channel.send(xcpp_wire::packed(xcpp_wire::Hello{getpid(), cell}));
        xcpp_wire::Message message;
        result.channel.receive(message);
        if (xcpp_wire::op_of(message.body) != xcpp_wire::TakeOver::op) go_away();
        result.order = xcpp_wire::unpacked<xcpp_wire::TakeOver>(message.body);
    } catch (const xcpp_wire::Broken&) {
        go_away();  // closed: not needed any more
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // not before: it would fire when the original dies
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    threads_are_lost();
    wake_blas();  // it starts new ones
    result.role = Role::took_over;
}

}  // namespace

Snapshot fork_snapshot(const xcpp_wire::Channel& channel, int cell, bool after_cell) {
    Snapshot result;
    xcpp_wire::ChannelPair pair;
    try {
        pair = xcpp_wire::make_channel_pair();
    } catch (const xcpp_wire::Broken& broken) {
        result.problem = broken.what();
        return result;
    }
    // The copy must not be our child: a cell that waits for all its children would wait for ever. A
    // child forks it and ends; the front, as the subreaper, is its parent then.
    int failure = 0;
    {
        const AllSignalsBlocked quiet;
        begin_fork_pace();  // this fork does not wait for those of the last cell
        volatile int error = 0;
        const pid_t between =
            vfork();  // NOLINT(bugprone-unsafe-functions): it forks and ends, nothing else fits
        if (between == 0) {
            const pid_t copy = fork();
            if (copy < 0) error = errno;
            if (copy != 0) syscall(SYS_exit_group, error);
            // here we are the copy
        } else if (between > 0) {
            const int status = status_of(
                between);  // none where a cell has told the system to forget ended children
            failure = error != 0 ? error : status;
        } else {
            failure = errno;
        }
        if (between == 0) {
            pair.theirs.close();
            result.channel = std::move(pair.mine);
            wait_for_order(result, cell);
        }
        // the child's end left a SIGCHLD behind that no cell asked for
        sigset_t child;
        sigemptyset(&child);
        sigaddset(&child, SIGCHLD);
        const timespec now{};
        if (between > 0) sigtimedwait(&child, nullptr, &now);
    }
    if (result.role == Role::took_over) return result;
    if (failure != 0) {
        result.problem = std::string("fork: ") + std::strerror(failure);
        return result;
    }
    pair.mine.close();
    channel.send(xcpp_wire::packed(xcpp_wire::CopyMade{cell, after_cell}), {}, pair.theirs.fd());
    result.role = Role::original;
    return result;
}

}  // namespace xcpp_session
