// Records the launches and copies of a piece of code: which CUDA kernels ran, with which shape, and
// how much data went to a GPU or came back. Introduced in the notebook 08_gpu_training; exercises
// use it to see what a student's function launched.
//
//   #include <iostream>
//   const auto student_function = [] {};
//   const lanes::LaunchTrace trace;
//   student_function();
//   for (const lanes::TracedLaunch& launch : trace.launches()) std::cout << launch.name << '\n';
//   for (const lanes::TracedCopy& copy : trace.copies()) std::cout << copy.bytes << " bytes\n";
#pragma once

#include "lanes/gpu/device.hpp"
#include "lanes/gpu/report.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lanes {

namespace gpu {
class TraceLog;  // src/gpu/trace_log.hpp
}

struct TracedLaunch {
    std::string name;  // of the CUDA kernel, as requested from the program
    LaunchConfig config;
    Device device;
    // False if launch threw: the simulator found a mistake, or the GPU failed.
    bool finished = false;
    LaunchReport report;  // also of a launch that failed, as far as it came
    bool waits = true;    // false: launch_async
};

// A copy between the CPU's memory and that of a GPU or a simulator.
struct TracedCopy {
    std::size_t bytes = 0;
    bool to_device = false;  // false: from the device to the CPU
    Device device;
    bool pinned = false;  // the CPU's memory is that of a PinnedBuffer
};

// Launches and copies of all threads of the process, from the constructor to the destructor. Traces
// may be nested and record the same ones. A launch that is refused before it starts (a wrong
// argument, a block that is too large) is not recorded.
class LaunchTrace {
public:
    LaunchTrace();
    ~LaunchTrace();
    LaunchTrace(const LaunchTrace&) = delete;
    LaunchTrace& operator=(const LaunchTrace&) = delete;

    std::vector<TracedLaunch> launches() const;  // so far, in the order in which they began
    std::vector<TracedCopy> copies() const;
    void clear();

private:
    std::shared_ptr<gpu::TraceLog> book_;
};

}  // namespace lanes
