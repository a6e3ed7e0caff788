// A finding as it is noted while a CUDA kernel runs: addresses and numbers. Lines, names and
// sentences come when the launch has ended.
#pragma once

#include "gpu/simulator/interface/watcher.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// One side of a finding.
struct RawSide {
    ThreadPlace place;
    const void* code = nullptr;
    std::size_t bytes = 0;
    bool write = false, atomic = false;
    int line = 0, column = 0;  // filled in at the end
};

// Threads of one block that stand at the same place.
struct Standing {
    Waiting waiting = Waiting::no;
    const void* code = nullptr;
    std::string what;
    std::vector<ThreadPlace> threads;
    int line = 0;
};

struct RawFinding {
    FindingKind kind{};
    RawSide first, second;
    bool has_second = false;
    Region region;  // name "" and no bytes where there is none
    std::ptrdiff_t offset = 0;
    bool misaligned = false;
    bool null_pointer = false;
    bool unset = false;  // uninitialised_read of the local variable `what`, or, where `what` is
                         // empty, of one that the element's value came from
    std::vector<Standing> standing;  // barrier_divergence, and warp operations that wait for ever
    std::string what;                // operation of a warp; name of a schedule; the assertion
    std::uint32_t mask = 0, present = 0;  // lanes
    std::uint32_t lanes =
        ~0U;  // that the warp has: a block may have fewer threads than its last warp has room for
    int lane_asked = -1;           // whose value a shuffle wants, where that is what is wrong
    bool blocks_race_too = false;  // of a race inside a block: there is one between blocks on the
                                   // same memory, which no barrier mends
    double seconds = 0;
    bool in_loop = false;       // of no_progress: `first` is the loop that does not end
    std::string expected, got;  // of two schedules
    std::size_t untouched = 0;  // elements
    Dim3 suggested;             // grid that would have reached them
    bool nothing_written = false,
         nothing_touched = false;  // of untouched_elements: by no thread of the launch
};

}  // namespace lanes::gpu::simulator
