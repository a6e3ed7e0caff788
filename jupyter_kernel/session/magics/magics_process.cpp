#include "magics_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

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

// For exec: they point into the texts, and end with null.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> found;
    found.reserve(texts.size() + 1);
    for (const std::string& text : texts) found.push_back(const_cast<char*>(text.c_str()));
    found.push_back(nullptr);
    return found;
}

// Standard error of a child on its way to ours.
class ErrorStream {
public:
    // Before the child is started.
    bool open(posix_spawn_file_actions_t& files) {
        if (::pipe2(ends_, O_CLOEXEC) != 0) return false;
        ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
        ::posix_spawn_file_actions_adddup2(&files, ends_[1], 2);
        return true;
    }
    ErrorStream() = default;
    ErrorStream(const ErrorStream&) = delete;
    ErrorStream& operator=(const ErrorStream&) = delete;
    ~ErrorStream() {
        for (const int end : ends_)
            if (end >= 0) ::close(end);
    }

    int descriptor() const { return ends_[0]; }  // -1: there is no such stream
    void child_was_started() { ::close(std::exchange(ends_[1], -1)); }
    // Passes on what is there. The other end may stay open: processes may outlive the child.
    void pass_on() {
        char text[4096];
        for (ssize_t count; ends_[0] >= 0 && (count = ::read(ends_[0], text, sizeof text)) != -1;) {
            if (count == 0) ::close(std::exchange(ends_[0], -1));
            for (ssize_t done = 0; done < count;) {
                const auto rest = static_cast<std::size_t>(count - done);
                const ssize_t some = ::write(2, text + done, rest);
                if (some < 0 && errno != EINTR) break;
                done += std::max<ssize_t>(some, 0);
            }
            last_words_.append(text, static_cast<std::size_t>(count));
            if (last_words_.size() > 2 * kept) last_words_.erase(0, last_words_.size() - kept);
        }
    }
    std::string last_words() const { return last_words_; }

private:
    static constexpr std::size_t kept = 16384;
    int ends_[2] = {-1, -1};
    std::string last_words_;
};

bool has_in_environment(const std::filesystem::path& process, const std::string& variable) {
    std::ifstream file(process / "environ", std::ios::binary);
    const std::string environment{std::istreambuf_iterator<char>(file), {}};
    return ('\0' + environment).find('\0' + variable + '\0') != std::string::npos;
}

}  // namespace

ProcessEnd run_process(const ProcessPlan& plan, Interrupted interrupted) {
    ProcessEnd end;
    SpawnActions actions;
    if (!plan.output.empty()) {
        ::posix_spawn_file_actions_addopen(&actions.files, 1, plan.output.c_str(),
                                           O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::posix_spawn_file_actions_adddup2(&actions.files, 1, 2);
    }
    ErrorStream errors;
    if (plan.keeps_last_words && !errors.open(actions.files)) {
        end.error = std::strerror(errno);
        return end;
    }
    std::vector<char*> argv = pointers(plan.arguments);
    std::vector<char*> environment;
    for (char** entry = environ; entry && *entry; ++entry) {
        const std::string_view name(*entry, std::strcspn(*entry, "=") + 1);
        const auto replaces = [&](const std::string& ours) {
            return ours.compare(0, name.size(), name) == 0;
        };
        if (std::none_of(plan.environment.begin(), plan.environment.end(), replaces))
            environment.push_back(*entry);
    }
    const std::vector<char*> more = pointers(plan.environment);
    environment.insert(environment.end(), more.begin(), more.end());
    pid_t child = -1;
    if (const int failed = ::posix_spawnp(&child, argv[0], &actions.files, &actions.attributes,
                                          argv.data(), environment.data())) {
        end.error = std::strerror(failed);
        return end;
    }
    if (plan.keeps_last_words) errors.child_was_started();
    const int watch = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
    using Seconds = std::chrono::duration<double>;
    // The front ends a session that does not stop within a second of an interrupt.
    const Seconds until_terminated(plan.starts_others ? 0.2 : 10),
        until_killed(plan.starts_others ? 0.7 : 1);
    Clock::time_point asked;
    bool terminated = false;
    int status = 0;
    for (;;) {
        pollfd waiting[] = {{watch, POLLIN, 0}, {errors.descriptor(), POLLIN, 0}};
        ::poll(waiting, 2, watch >= 0 ? 50 : 5);
        errors.pass_on();
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno == ECHILD)) break;
        if (!end.interrupted && interrupted && interrupted()) {
            end.interrupted = true;
            asked = Clock::now();
            ::kill(-child, SIGINT);
        } else if (end.interrupted && Clock::now() - asked > until_killed) {
            ::kill(-child, SIGKILL);
        } else if (end.interrupted && !terminated && Clock::now() - asked > until_terminated) {
            terminated = true;
            ::kill(-child, SIGTERM);
        }
    }
    if (watch >= 0) ::close(watch);
    errors.pass_on();
    end.last_words = errors.last_words();
    // A command that ignored the interrupt and ended by itself was interrupted all the same; what
    // it left in its group goes with it.
    if (end.interrupted) ::kill(-child, SIGKILL);
    end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end.status = end.signal > 0 ? 128 + end.signal : WEXITSTATUS(status);
    return end;
}

void kill_processes_with(const std::string& variable) {
    // Again until none is found: one may have forked while we looked.
    for (int round = 0, found = 1; found > 0 && round < 20; ++round) {
        found = 0;
        std::error_code failed;
        for (std::filesystem::directory_iterator process("/proc", failed), end;
             !failed && process != end; process.increment(failed)) {
            const pid_t pid = std::atoi(process->path().filename().c_str());
            if (pid <= 0 || pid == ::getpid() || !has_in_environment(process->path(), variable))
                continue;
            ++found;
            ::kill(pid, SIGKILL);
        }
        if (found > 0) ::usleep(5000);
    }
}

}  // namespace xcpp_session
