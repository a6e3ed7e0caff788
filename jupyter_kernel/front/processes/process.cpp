#include "process.hpp"

#include "front/base/clock.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <thread>

namespace xcpp_front {
namespace {

constexpr rlim_t stack_bytes = 64UL << 20;
constexpr int first_kept_descriptor = 200;  // out of the way of what a cell opens

constexpr std::size_t fork_bomb_size = 64;  // more than a cell starts on purpose

struct Process {
    pid_t pid = 0;
    pid_t group = 0;
    long long started = 0;
    bool ended = false;  // nobody has waited for it yet
};

Process look_up(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);
    const auto name_end = text.rfind(')');  // the name may hold anything
    if (name_end == std::string::npos) return {};
    char state = 0;
    Process process{pid};
    // The 3rd, 5th and 22nd field; see proc(5).
    std::sscanf(text.c_str() + name_end + 1,
                " %c %*s %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lld",
                &state, &process.group, &process.started);
    process.ended = state == 'Z' || state == 'X';
    return process;
}

std::vector<pid_t> children_of(const std::string& process) {
    std::vector<pid_t> children;
    std::error_code gone;
    for (std::filesystem::directory_iterator task("/proc/" + process + "/task", gone), end;
         !gone && task != end; task.increment(gone)) {
        std::ifstream file(task->path() / "children");
        for (pid_t child = 0; file >> child;) children.push_back(child);
    }
    return children;
}

// Those that started at or after `since`, at most `fork_bomb_size`: the first ones are enough to
// recognise a fork bomb.
void collect(const std::string& parent, long long since, const std::vector<pid_t>& except,
             std::vector<Process>& found) {
    for (const pid_t child : children_of(parent)) {
        if (found.size() >= fork_bomb_size) return;
        if (std::find(except.begin(), except.end(), child) != except.end()) continue;
        const Process process = look_up(child);
        if (process.pid != 0 && process.started >= since) found.push_back(process);
        collect(std::to_string(child), since, except, found);
    }
}

// Processes that fork without end are quicker than anybody who kills them one by one; the system
// lets none of a group get away. Programs that earlier cells left in the same group are lost with
// them.
void kill_groups(const std::vector<Process>& found, const std::vector<pid_t>& except) {
    std::set<pid_t> protected_groups{::getpgrp()};
    for (const pid_t pid : except) protected_groups.insert(::getpgid(pid));
    std::set<pid_t> groups;
    for (const Process& process : found)
        if (process.group > 1 && protected_groups.count(process.group) == 0)
            groups.insert(process.group);
    for (const pid_t group : groups) ::kill(-group, SIGKILL);
}

// Between fork and exec: system calls only. The front shows what a session that does not start has
// written to stderr.
[[noreturn]] void give_up(const char* program, int error, const char* advice) {
    const char* why = ::strerrordesc_np(error);
    for (const char* part :
         {"cannot run ", program, ": ", why == nullptr ? "unknown error" : why, advice, "\n"})
        (void)!::write(2, part, std::strlen(part));
    ::_exit(127);
}

// Between fork and exec: system calls only. kept: numbers in a row.
[[noreturn]] void become(const char* program, char* const* arguments, const SpawnPlan& plan,
                         const int* kept, pid_t front) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != front) ::_exit(1);
    ::setpgid(0, 0);  // kill(0, …) in a cell is not meant for the front
    const int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, 0);
    ::dup2(plan.stdout_fd, 1);
    ::dup2(plan.stderr_fd, 2);
    for (std::size_t index = 0; index < plan.descriptors.size(); ++index)
        if (::dup2(plan.descriptors[index].second, kept[index]) < 0)
            give_up(program, errno,
                    " for its channels. Allow more open files: `ulimit -n 1024`, then restart.");
    const auto last_kept =
        static_cast<unsigned>(kept[0]) + static_cast<unsigned>(plan.descriptors.size());
    ::close_range(3, static_cast<unsigned>(kept[0]) - 1, 0);
    ::close_range(last_kept, ~0U, 0);
    rlimit core{0, 0};
    ::setrlimit(RLIMIT_CORE, &core);
    rlimit stack{};
    ::getrlimit(RLIMIT_STACK, &stack);
    stack.rlim_cur = std::min(stack_bytes, stack.rlim_max);
    ::setrlimit(RLIMIT_STACK, &stack);
    for (const int number : {SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGQUIT}) ::signal(number, SIG_DFL);
    ::signal(SIGINT, SIG_IGN);  // until it has a handler of its own: clients send SIGINT to the
                                // whole process group
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execv(program, arguments);
    give_up(program, errno, "");
}

}  // namespace

Ending Ending::from(int wait_status) {
    Ending ending;
    if (WIFSIGNALED(wait_status)) ending.signal = WTERMSIG(wait_status);
    if (WIFEXITED(wait_status)) ending.exit_code = WEXITSTATUS(wait_status);
    return ending;
}

std::string Ending::description() const {
    if (signal == 0) return "exit code " + std::to_string(exit_code);
    const char* name = ::sigabbrev_np(signal);
    const char* meaning = ::sigdescr_np(signal);
    return "signal " + std::to_string(signal) +
           (name != nullptr && meaning != nullptr
                ? std::string(" (SIG") + name + ", " + meaning + ")"
                : "");
}

pid_t spawn(const SpawnPlan& plan) {
    std::vector<std::string> words{plan.program};
    std::vector<int> kept;
    for (const auto& [option, descriptor] : plan.descriptors) {
        kept.push_back(first_kept_descriptor + static_cast<int>(kept.size()));
        words.push_back(option);
        words.push_back(std::to_string(kept.back()));
    }
    words.insert(words.end(), plan.arguments.begin(), plan.arguments.end());
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t front = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
    if (child == 0) become(plan.program.c_str(), arguments.data(), plan, kept.data(), front);
    return child;
}

long long start_of(pid_t pid) { return look_up(pid).started; }

bool has_ended(pid_t pid) {
    const Process process = look_up(pid);
    return process.pid == 0 || process.ended;
}

std::vector<pid_t> descendants() {
    std::vector<Process> found;
    collect("self", 0, {}, found);
    std::vector<pid_t> pids;
    pids.reserve(found.size());
    for (const Process& process : found) pids.push_back(process.pid);
    return pids;
}

std::uint64_t private_bytes(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/smaps_rollup");
    for (std::string word; file >> word;)
        if (std::uint64_t kilobytes = 0; word == "Private_Dirty:" && file >> kilobytes)
            return kilobytes << 10;
    return 0;
}

bool kill_descendants(long long since, const std::vector<pid_t>& except,
                      const std::function<void()>& reap) {
    const TimePoint until = Clock::now() + limit(2);
    for (;;) {
        reap();
        std::vector<Process> found;
        collect("self", since, except, found);
        if (found.empty()) return true;
        if (Clock::now() > until) return false;
        if (found.size() >= fork_bomb_size) kill_groups(found, except);
        for (const Process& process : found)
            if (!process.ended) ::kill(process.pid, SIGKILL);
        std::this_thread::sleep_for(Milliseconds(1));
    }
}

}  // namespace xcpp_front
