// The workers that this process has started: a wait looks at them, because a worker that died will
// not bring what is waited for.
#pragma once

#include "shared_memory.hpp"

#include <sys/types.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace lanes::parallel {

// What a worker leaves behind for whoever started it.
struct ExitRecord {
    enum Left : int { not_reported, returned, threw };
    std::atomic<int> left{not_reported};
    std::atomic<int> exit_code{0};
    std::array<char, 2000> words{};
};

struct Started {
    explicit Started(std::string name_) : name(std::move(name_)), exit_record("lanes-worker") {}

    std::string name;
    Shared<ExitRecord> exit_record;
    pid_t owner = 0;  // who started it; a frozen copy of that process is somebody else
    pid_t pid = 0;

    bool poll_running();  // true: it runs. Takes its exit status once it has ended
    int exit_code();      // as Process::exit_code says, of one that has ended
    std::string ending();

    std::mutex guard;  // of what follows
    bool ended = false, status_known = false, reported = false;
    int status = 0;
};

bool inside_worker();

void register_worker(const std::shared_ptr<Started>& worker);
void unregister_worker(const std::shared_ptr<Started>& worker);
void become_worker();  // in a forked child: nobody was started by it

// Throws Error with the name of a worker that was killed, crashed or threw, once for each.
void throw_if_worker_died(const char* operation);

// How many were enlisted so far, and whether all of them have ended.
struct WorkerCounts {
    std::size_t ever = 0, running = 0;
};
WorkerCounts count_workers();

}  // namespace lanes::parallel
