// What the simulator found wrong with a CUDA kernel or its launch, as text and as fields that a
// test or an exercise can inspect.
//
//   #include <iostream>
//   const lanes::Device device = lanes::Device::simulator();
//   lanes::Program program(device, "__global__ void f(int* x) { x[threadIdx.x] = 1; }");
//   try {
//       lanes::launch(program.kernel("f"), {1, 8}, lanes::Buffer<int>(device, 4));
//   } catch (const lanes::CudaKernelFault& fault) {
//       std::cout << fault.what();  // out of bounds: x[4], but x has 4 elements ...
//   }
#pragma once

#include "lanes/base/error.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lanes {

enum class FindingKind {
    out_of_bounds,       // of a buffer, a shared array, a constant, or in unknown memory
    host_pointer,        // a pointer to the host's memory was used
    race,                // in global or shared memory
    barrier_divergence,  // some threads wait at a barrier that others never reach
    uninitialised_read,
    warp_mask,            // a mask that does not match the threads that execute the operation
    no_progress,          // stopped after Checks::stop_after_seconds
    untouched_elements,   // the grid was rounded down: the tail of an output was never reached
    schedule_dependence,  // another order of threads or blocks gave another result
    assertion,            // the CUDA kernel's own assert
    trap                  // __trap(), division by zero, a crash in the CUDA kernel's own code
};

const char* name_of(FindingKind kind);  // "out of bounds", "race", …

using Coordinates = std::array<unsigned, 3>;  // x, y, z

// One thread at one line.
struct Place {
    Coordinates block{}, thread{};
    int line = 0;        // in the program's own text, from 1; 0 if unknown
    std::string file;    // the program's name
    std::string access;  // "read of 4 bytes", "waits at __syncthreads", "returned"
};

struct Finding {
    FindingKind kind{};
    // The whole text, as shown: what, where, which thread, the source line with a caret, what to
    // do.
    std::string message;
    Place first;   // of a race: the later access
    Place second;  // of a race: the earlier access; of a divergence: a thread that is elsewhere
    bool has_second = false;
    std::string object;        // name of the argument or of the shared array, "" if there is none
    std::ptrdiff_t index = 0;  // in elements of the object
    std::size_t extent = 0;    // elements of the object
};

struct LaunchReport;  // report.hpp

// Thrown by launch. what() is the message of the first finding, and how many more there are.
class CudaKernelFault : public Error {
public:
    CudaKernelFault(const std::string& message, std::vector<Finding> findings,
                    std::shared_ptr<const LaunchReport> report = nullptr)
        : Error(message), findings_(std::move(findings)), report_(std::move(report)) {}
    const std::vector<Finding>& findings() const { return findings_; }
    // What the launch did before it was stopped: counters, accesses. In fast mode it is empty.
    const LaunchReport& report() const;

private:
    std::vector<Finding> findings_;
    std::shared_ptr<const LaunchReport> report_;
};

}  // namespace lanes
