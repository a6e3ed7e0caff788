// Occupancy: how many threads of a launch can be on one multiprocessor (SM) at a time, by the
// limits of a named GPU. Many of them hide the time that memory takes.
//
//   #include <iostream>
//   const lanes::Occupancy fits = lanes::occupancy({{64}, 256, 32768}, 0, 0, "A100");
//   std::cout << fits.percent() << " %, " << fits.limit;  // 50 %, shared memory
#pragma once

#include "lanes/gpu/report.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes {

// Limits of one multiprocessor, as in the tables of NVIDIA's programming guide.
struct GpuLimits {
    std::string name;
    unsigned multiprocessors = 0;
    unsigned threads = 0, blocks = 0;  // per multiprocessor
    std::size_t shared_bytes = 0;      // per multiprocessor
    std::size_t reserved_bytes = 0;    // of shared memory, per block, by the system
    unsigned registers = 65536;        // per multiprocessor
};

std::vector<GpuLimits> known_gpus();            // H200, H100, A100, V100, L4, T4
GpuLimits gpu_limits(const std::string& name);  // Error if it is not one of them

struct Occupancy {
    GpuLimits gpu;
    unsigned blocks = 0;             // on one multiprocessor; 0: the block does not fit
    unsigned threads_per_block = 0;  // rounded up to whole warps
    std::string limit;               // "threads", "blocks", "shared memory" or "registers"
    double percent() const { return 100.0 * blocks * threads_per_block / gpu.threads; }
};

// registers_per_thread: 0 if unknown, as on the simulator; then registers are no limit.
Occupancy occupancy(const LaunchConfig& config, std::size_t static_shared_bytes,
                    unsigned registers_per_thread, const std::string& gpu);
Occupancy occupancy(const LaunchReport& report, const std::string& gpu);

}  // namespace lanes
