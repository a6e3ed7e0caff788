// The host threads that run blocks: one a worker, made on first use, and made again in a forked
// process, where only the thread that forked goes on.
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

    // One launch at a time: others wait as long as this is held.
    std::unique_lock<std::mutex> reserve();

    // work(worker) on workers 0 … count-1, at the same time; returns when all have. Meanwhile
    // watch() is called every few milliseconds. work must not throw.
    void run(int count, const std::function<void(int)>& work, const std::function<void()>& watch);
    void ask_worker_to_leave(int worker);

private:
    Pool();
    struct Shared;
    Shared* shared_;  // lives as long as the process: its threads never end
};

}  // namespace lanes::gpu::simulator
