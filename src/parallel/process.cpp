#include "lanes/parallel/process.hpp"

#include "lanes/base/error.hpp"
#include "parallel/background.hpp"
#include "wait.hpp"
#include "worker_registry.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <thread>

namespace lanes {

namespace {

using parallel::ChildProcess;
using parallel::ExitRecord;

// No signal may reach the worker before it has its own handlers: until then it has the handlers of
// the process that forked.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_{};
};

// --- In the worker

ExitRecord* own_record = nullptr;

void note_exception() {
    std::snprintf(own_record->words.data(), own_record->words.size(), "%s",
                  parallel::exception_text().c_str());
    own_record->left = ExitRecord::threw;
}

[[noreturn]] void on_terminate() {
    if (std::current_exception()) {
        try {
            throw;
        } catch (...) {
            note_exception();
        }
    }
    std::abort();
}

void flush_streams() {
    std::cout.flush();
    std::cerr.flush();
    std::clog.flush();
    std::fflush(stdout);
    std::fflush(stderr);
}

[[noreturn]] void leave(int code) {
    flush_streams();
    own_record->exit_code = code;
    if (own_record->left == ExitRecord::not_reported) own_record->left = ExitRecord::returned;
    // Runs neither exit handlers nor destructors of static objects: they belong to the process that
    // forked.
    syscall(SYS_exit_group, code);
    __builtin_unreachable();
}

// Ends the worker when the process that started it ends. PR_SET_PDEATHSIG refers to the thread that
// forked, not to its process: it can be used only if that was the main thread.
void die_with_parent(pid_t parent, bool forked_by_main_thread) {
    if (forked_by_main_thread) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    } else {
        std::thread([parent] {
            while (getppid() == parent) std::this_thread::sleep_for(parallel::poll_interval);
            syscall(SYS_exit_group, 1);
        }).detach();
    }
    if (getppid() != parent) syscall(SYS_exit_group, 1);
}

[[noreturn]] void work(Process& process, ExitRecord& exit_record, pid_t parent,
                       bool forked_by_main_thread, bool in_background) {
    own_record = &exit_record;
    if (in_background) work_in_background();
    parallel::become_worker();
    std::set_terminate(on_terminate);
    signal(SIGINT, SIG_IGN);  // an interrupt is for the process that waits for its workers
    signal(SIGTERM, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
    die_with_parent(parent, forked_by_main_thread);
    int code = 0;
    try {
        process.run();
    } catch (...) {
        note_exception();
        std::cerr << process.name() << ": " << exit_record.words.data() << '\n';
        code = 1;
    }
    leave(code);
}

}  // namespace

// --- In the process that started it

Process::Process(std::string name) : name_(std::move(name)) {}

Process::~Process() {
    if (!started_) return;
    if (listed_) parallel::unregister_worker(started_);
    terminate();
    try {
        if (!started_->poll_running() || join(0.2)) return;
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): interrupted, so the worker
                                       // is killed at once
    }
    kill();
    while (started_->poll_running()) std::this_thread::sleep_for(std::chrono::microseconds(200));
}

void Process::start() {
    LANES_REQUIRE(!started_, "Process::start: ", name_,
                  " was started already. Make a new object for another worker.");
    auto started = std::make_shared<ChildProcess>(name_);
    flush_streams();  // otherwise both processes would write what is still in the buffers
    started->owner = getpid();
    const bool main_thread = syscall(SYS_gettid) == getpid();
    {
        const SignalsBlocked quiet;
        started->pid = fork();
        if (started->pid == 0)
            work(*this, *started->exit_record, started->owner, main_thread, in_background_);
    }
    LANES_REQUIRE(started->pid > 0, "Process::start: ", name_, " could not be forked (",
                  std::strerror(errno), "). Start fewer workers.");
    started_ = std::move(started);
    if (listed_) parallel::register_worker(started_);
}

bool Process::join(double seconds) {
    LANES_REQUIRE(started_, "Process::join: ", name_, " was not started. Call start first.");
    LANES_REQUIRE(started_->owner == getpid(), "Process::join: ", started_->exit_description(),
                  ". Only the process that started a worker can wait for it; start a new one.");
    if (!started_->poll_running()) return true;
    // No check of workers: the death of the worker that is waited for is no error here.
    const parallel::Wait::OnWait nothing = [] {};
    const parallel::Wait wait("Process::join", seconds, &nothing);
    // Old systems and emulators have no pidfd: then the state is polled every millisecond.
    pollfd ended{static_cast<int>(syscall(SYS_pidfd_open, started_->pid, 0)), POLLIN, 0};
    const std::unique_ptr<int, void (*)(int*)> closing(ended.fd >= 0 ? &ended.fd : nullptr,
                                                       [](int* descriptor) { close(*descriptor); });
    do {
        const auto left = std::chrono::duration_cast<std::chrono::microseconds>(
                              wait.next_poll() - parallel::Wait::Clock::now())
                              .count();
        if (ended.fd >= 0)
            ::poll(&ended, 1, static_cast<int>((left + 999) / 1000));
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (!started_->poll_running()) return true;
    } while (wait.keep_waiting());
    return false;
}

void Process::terminate() {
    if (started_ && started_->poll_running()) ::kill(started_->pid, SIGTERM);
}

void Process::kill() {
    if (started_ && started_->poll_running()) ::kill(started_->pid, SIGKILL);
}

bool Process::alive() const { return started_ && started_->poll_running(); }

std::optional<int> Process::exit_code() const {
    if (!started_ || started_->owner != getpid() || started_->poll_running()) return {};
    return started_->exit_code();
}

std::string Process::exception_text() const {
    return started_ && started_->exit_record->left == ExitRecord::threw
               ? started_->exit_record->words.data()
               : "";
}

std::string Process::exit_description() const {
    return started_ ? started_->exit_description() : name_ + " was not started";
}

int Process::pid() const { return started_ ? started_->pid : 0; }

}  // namespace lanes
