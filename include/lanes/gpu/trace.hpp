// Records the launches of a piece of code: an exercise asks how often, with which shape and on
// which device a student's function launched its CUDA kernel.
//
//   #include <iostream>
//   const auto student_function = [] {};
//   const lanes::LaunchTrace trace;
//   student_function();
//   for (const lanes::TracedLaunch& launch : trace.launches()) std::cout << launch.name << '\n';
#pragma once

#include "lanes/gpu/device.hpp"
#include "lanes/gpu/report.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lanes {

namespace gpu {
class TraceBook;  // src/gpu/trace_book.hpp
}

struct TracedLaunch {
    std::string name;  // of the CUDA kernel, as the program was asked for it
    LaunchConfig config;
    Device device;
    bool finished =
        false;  // false where launch threw: the simulator found a mistake, or the GPU failed
    LaunchReport report;  // of one that finished
};

// Launches of all threads of the process, from the constructor to the destructor; traces may be
// nested and see the same launches. A launch that is refused before it starts (a wrong argument, a
// block that is too large) is none.
class LaunchTrace {
public:
    LaunchTrace();
    ~LaunchTrace();
    LaunchTrace(const LaunchTrace&) = delete;
    LaunchTrace& operator=(const LaunchTrace&) = delete;

    std::vector<TracedLaunch> launches() const;  // so far, in the order in which they began
    void clear();

private:
    std::shared_ptr<gpu::TraceBook> book_;
};

}  // namespace lanes
