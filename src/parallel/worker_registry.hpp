// The workers that this process has started. Every wait checks them: what a dead worker would have
// sent will never come.
#pragma once

#include "shared_memory.hpp"

#include <sys/types.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace lanes::parallel {

// The message of the exception that is being handled, with its type: "std::out_of_range: no such
// row".
std::string exception_text();

// How a worker ended, written by the worker for the process that started it.
struct ExitRecord {
    enum Left : int { not_reported, returned, threw };
    std::atomic<int> left{not_reported};
    std::atomic<int> exit_code{0};
    std::array<char, 2000> words{};
};

struct ChildProcess {
    explicit ChildProcess(std::string name_)
        : name(std::move(name_)), exit_record("lanes-worker") {}

    std::string name;
    Shared<ExitRecord> exit_record;
    pid_t owner = 0;  // the process that started it; a frozen copy of it has another pid
    pid_t pid = 0;

    bool poll_running();  // whether it runs; collects its exit status when it has ended
    int exit_code();      // as Process::exit_code; the worker must have ended
    std::string exit_description();

    std::mutex guard;  // of what follows
    bool ended = false, status_known = false, reported = false;
    int status = 0;
};

bool inside_worker();

void register_worker(const std::shared_ptr<ChildProcess>& worker);
void unregister_worker(const std::shared_ptr<ChildProcess>& worker);
void become_worker();  // in a forked child: empties its copy of the list

// Throws Error with the name of a worker that was killed, crashed, threw or called exit, once per
// worker.
void throw_if_worker_died(const char* operation);

// How many were registered so far, and how many of them still run.
struct WorkerCounts {
    std::size_t ever = 0, running = 0;
};
WorkerCounts count_workers();

}  // namespace lanes::parallel
