// What the simulator recorded of a launch: which thread read and wrote which element, and what each
// line of the program's text cost.
//
//   #include <iostream>
//   const lanes::LaunchReport report;  // as returned by launch
//   for (const lanes::LineTraffic& line : report.lines())
//       std::cout << "line " << line.line << ": " << line.sectors << " sectors\n";
//   for (const lanes::MemoryAccess& access : report.accesses(3))  // of thread 3
//       std::cout << report.arrays()[access.array].name << '[' << access.first << "]\n";
//
// lanes/notebook/launch_picture.hpp draws both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lanes {

// Traffic of one line of the text, counted as in Counters. Lines of a __device__ function count as
// its own. In a large grid, scaled up from the blocks that were counted.
struct LineTraffic {
    int line = 0;                             // from 1; 0 if unknown
    std::string text;                         // of the line, without the spaces around it
    std::uint64_t loads = 0;                  // of global memory, by single threads
    std::uint64_t stores = 0;                 // likewise
    std::uint64_t requests = 0, sectors = 0;  // of global memory
    // As few sectors as the same requests need if their elements lie side by side.
    std::uint64_t ideal_sectors = 0;
    std::uint64_t shared_requests = 0, bank_conflicts = 0;
    std::uint64_t atomics = 0;  // requests
};

// A buffer, a __shared__ array, or a __constant__ or __device__ variable.
struct AccessedArray {
    std::string name;     // of the parameter or the variable
    bool shared = false;  // each block has its own
    std::size_t elements = 0, element_bytes = 1;
};

enum class AccessKind { read, write, atomic };

// One access of one thread.
struct MemoryAccess {
    std::uint32_t block = 0;   // number in the grid, x first
    std::uint32_t thread = 0;  // number in the block, x first
    std::uint32_t step = 0;    // how many barriers the block had passed
    AccessKind kind = AccessKind::read;
    std::uint32_t array = 0;   // index in LaunchReport::arrays()
    std::ptrdiff_t first = 0;  // element
    std::size_t count = 1;     // elements: 4 for a float4 of an array of float
    bool outside = false;      // of the array; the launch was stopped before it happened
    bool races = false;        // with an access of another thread
    int line = 0;              // in the program's text, from 1; 0 if unknown
};

}  // namespace lanes
