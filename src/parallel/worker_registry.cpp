#include "worker_registry.hpp"

#include "lanes/base/error.hpp"

#include <cxxabi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>
#include <vector>

namespace lanes::parallel {

namespace {

struct WorkerRegistry {
    std::mutex guard;
    std::vector<std::shared_ptr<ChildProcess>> workers;
    std::size_t ever = 0;
};

WorkerRegistry& worker_registry() {
    // Never destroyed: workers may outlive every static object.
    static WorkerRegistry& the = *new WorkerRegistry;
    return the;
}

bool is_worker = false;

}  // namespace

std::string exception_text() {
    try {
        throw;
    } catch (const std::exception& error) {
        int failed = 0;
        const std::unique_ptr<char, void (*)(void*)> name(
            abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &failed), std::free);
        return (name ? std::string(name.get()) + ": " : "") + error.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

bool ChildProcess::poll_running() {
    const std::lock_guard lock(guard);
    if (ended || pid == 0 || owner != getpid()) return false;
    pid_t got = 0;
    do {
        got = waitpid(pid, &status, WNOHANG);
    } while (got < 0 && errno == EINTR);
    if (got == 0) return true;
    ended = true;
    status_known = got == pid;  // otherwise another wait() of this process has taken it
    return false;
}

int ChildProcess::exit_code() {
    if (!status_known)
        return exit_record->left == ExitRecord::not_reported ? -1 : exit_record->exit_code.load();
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

std::string ChildProcess::exit_description() {
    if (pid == 0) return name + " was not started";
    if (owner != getpid())
        return name + " is gone: it belonged to the session before it was restored after an error";
    if (poll_running()) return name + " still runs";
    if (exit_record->left == ExitRecord::threw)
        return name + " ended: " + exit_record->words.data();
    if (!status_known && exit_record->left == ExitRecord::not_reported)
        return name + " ended, and something else has taken its exit status";
    if (!status_known)
        return name + " ended with exit code " + std::to_string(exit_record->exit_code.load());
    if (WIFSIGNALED(status))
        return name + " ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
    return name + " ended with exit code " + std::to_string(WEXITSTATUS(status));
}

bool inside_worker() { return is_worker; }

void register_worker(const std::shared_ptr<ChildProcess>& worker) {
    WorkerRegistry& all = worker_registry();
    const std::lock_guard lock(all.guard);
    all.workers.push_back(worker);
    ++all.ever;
}

void unregister_worker(const std::shared_ptr<ChildProcess>& worker) {
    WorkerRegistry& all = worker_registry();
    const std::lock_guard lock(all.guard);
    all.workers.erase(std::remove(all.workers.begin(), all.workers.end(), worker),
                      all.workers.end());
}

void become_worker() {
    is_worker = true;
    WorkerRegistry& all = worker_registry();
    // Another thread of the parent process may have held it; that thread does not exist here.
    new (&all.guard) std::mutex;
    new (&all.workers) std::vector<std::shared_ptr<ChildProcess>>;
    all.ever = 0;
}

void throw_if_worker_died(const char* operation) {
    WorkerRegistry& all = worker_registry();
    const std::lock_guard lock(all.guard);
    for (const auto& worker : all.workers) {
        if (worker->reported || worker->owner != getpid() || worker->poll_running()) continue;
        // After exit(0) nothing is reported: it ended in the middle of its work.
        if (worker->exit_code() == 0 && worker->exit_record->left == ExitRecord::returned) continue;
        worker->reported = true;
        throw Error(std::string(operation) + ": " + worker->exit_description() +
                    ". What it was to do is not done; start another worker.");
    }
}

WorkerCounts count_workers() {
    WorkerRegistry& all = worker_registry();
    const std::lock_guard lock(all.guard);
    WorkerCounts count{all.ever, 0};
    for (const auto& worker : all.workers) count.running += worker->poll_running() ? 1 : 0;
    return count;
}

}  // namespace lanes::parallel
