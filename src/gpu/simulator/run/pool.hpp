// The host threads that run blocks, one per worker. They are created on first use, and again in a
// forked process, because only the thread that forked exists there.
#pragma once

#include "block_runner.hpp"

#include <functional>
#include <memory>
#include <mutex>

namespace lanes::gpu::simulator {

class Pool {
public:
    static Pool& get();

    int workers() const;
    BlockRunner& runner(int worker);

    // One launch at a time: others wait while this lock is held.
    std::unique_lock<std::mutex> reserve();

    // Calls work(worker) for workers 0 … count-1 at the same time and returns when all have
    // finished. Meanwhile watch() is called every few milliseconds. work must not throw.
    void run(int count, const std::function<void(int)>& work, const std::function<void()>& watch);
    void ask_worker_to_leave(int worker);
    double cpu_seconds(int worker) const;  // that its thread has had so far

private:
    Pool();
    struct Shared;
    Shared* shared_;  // never destroyed: its threads never end
};

}  // namespace lanes::gpu::simulator
