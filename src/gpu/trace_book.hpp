// Where launches are written down for the traces that are open.
#pragma once

#include "lanes/gpu/trace.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace lanes::gpu {

// One trace's launches. A launch that outlives the trace still holds its book.
class TraceBook {
public:
    std::size_t add(const TracedLaunch& launch);
    void finish(std::size_t number, const LaunchReport& report);
    std::vector<TracedLaunch> launches() const;
    void clear();

private:
    mutable std::mutex mutex_;
    std::size_t first_ = 0;  // number of the first launch that is still here
    std::vector<TracedLaunch> launches_;
};

// One launch, as every open trace notes it: made when it begins, told when it has ended well.
class TracedRun {
public:
    TracedRun(const std::string& name, const LaunchConfig& config, const Device& device);
    void finished(const LaunchReport& report);

private:
    std::vector<std::pair<std::shared_ptr<TraceBook>, std::size_t>> notes_;
};

}  // namespace lanes::gpu
