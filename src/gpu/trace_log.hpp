// Records launches and copies for the traces that are open.
#pragma once

#include "lanes/gpu/trace.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace lanes::gpu {

// The launches of one trace. A launch that outlives its trace still owns the book.
class TraceLog {
public:
    std::size_t add(const TracedLaunch& launch);
    void finish(std::size_t number, const LaunchReport& report, bool finished);
    void add(const TracedCopy& copy);
    std::vector<TracedLaunch> launches() const;
    std::vector<TracedCopy> copies() const;
    void clear();

private:
    mutable std::mutex mutex_;
    std::size_t first_ = 0;  // number of the first launch that is still here
    std::vector<TracedLaunch> launches_;
    std::vector<TracedCopy> copies_;
};

bool any_trace_is_open();

// How often this process has called Program::kernel.
std::size_t kernel_lookups();
void count_kernel_lookup();

// One launch, recorded by every open trace: constructed when it begins; finished() is called when
// it has succeeded, failed() when the simulator has found a mistake.
class TracedRun {
public:
    TracedRun(const std::string& name, const LaunchConfig& config, const Device& device,
              bool waits = true);
    void finished(const LaunchReport& report);
    void failed(const LaunchReport& report);

private:
    std::vector<std::pair<std::shared_ptr<TraceLog>, std::size_t>> notes_;
};

// A copy between the CPU's memory and the device's, recorded by every open trace.
// host: its memory, for the trace to say whether it is pinned.
void trace_copy(const Device& device, const void* host, std::size_t bytes, bool to_device);

}  // namespace lanes::gpu
