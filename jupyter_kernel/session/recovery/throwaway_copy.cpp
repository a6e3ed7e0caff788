#include "throwaway_copy.hpp"

#include "crash_record.hpp"
#include "fork_copy.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

namespace xcpp_session {
namespace {

// The last byte says that the text is complete.
constexpr char end_mark = '\n';

[[noreturn]] void work_in_copy(int pipe, const std::function<std::string()>& work, double seconds) {
    setpgid(0, 0);  // a signal for the session's group is not meant for us
    rearm_handlers();
    signal(SIGINT, SIG_IGN);
    signal(SIGALRM, SIG_DFL);  // a cell may have a handler of its own
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarms, nullptr);
    alarm(static_cast<unsigned>(seconds) + 10);  // the session may have been killed
    const std::string text = work() + end_mark;
    std::size_t at = 0;
    while (at < text.size()) {
        const ssize_t written = write(pipe, text.data() + at, text.size() - at);
        if (written <= 0 && errno != EINTR) break;
        if (written > 0) at += static_cast<std::size_t>(written);
    }
    end_quietly();
}

}  // namespace

CopyOutcome run_in_throwaway_copy(const std::function<std::string()>& work, double seconds,
                                  const std::function<bool()>& is_interrupted) {
    using Clock = std::chrono::steady_clock;
    constexpr int look_again_ms = 100;
    CopyOutcome outcome;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return outcome;
    const ForkedCopy copy = fork_copy();
    if (copy.is_copy) work_in_copy(ends[1], work, seconds);
    close(ends[1]);
    const auto until = Clock::now() + std::chrono::duration<double>(seconds);
    outcome.end = copy.error != 0 ? CopyOutcome::End::not_forked : CopyOutcome::End::died;
    while (copy.error == 0) {
        pollfd waiting{ends[0], POLLIN, 0};
        if (poll(&waiting, 1, look_again_ms) > 0) {
            char bytes[1 << 14];
            const ssize_t got = read(ends[0], bytes, sizeof bytes);
            if (got == 0) break;
            if (got > 0) outcome.text.append(bytes, static_cast<std::size_t>(got));
        }
        if (is_interrupted())
            outcome.end = CopyOutcome::End::interrupted;
        else if (Clock::now() > until)
            outcome.end = CopyOutcome::End::timed_out;
        else
            continue;
        kill(copy.pid, SIGKILL);
        break;
    }
    close(ends[0]);
    if (outcome.end == CopyOutcome::End::died && !outcome.text.empty() &&
        outcome.text.back() == end_mark) {
        outcome.text.pop_back();
        outcome.end = CopyOutcome::End::finished;
    }
    return outcome;
}

}  // namespace xcpp_session
