// A finding as it is recorded while a CUDA kernel runs: addresses and numbers. Lines, names and
// sentences are added when the launch has ended.
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

// Threads of one block that wait at the same place, or the first threads of blocks that do.
struct Standing {
    Waiting waiting = Waiting::no;
    const void* code = nullptr;
    std::string what;
    std::vector<ThreadPlace> threads;
    int line = 0;
};
// Whether blocks wait for each other, and not the threads of one block.
bool is_between_blocks(const std::vector<Standing>& standing);

struct RawFinding {
    FindingKind kind{};
    RawSide first, second;
    bool has_second = false;
    Region region;  // name "" and 0 bytes if there is none
    std::ptrdiff_t offset = 0;
    bool misaligned = false;
    bool null_pointer = false;
    // uninitialised_read of the local variable `what`. If `what` is empty: of some local variable
    // that the element's value came from.
    bool unset = false;
    std::vector<Standing> standing;  // barrier_divergence, and warp operations that wait forever
    std::string what;  // the warp operation, the name of the schedule, or the assertion
    std::uint32_t mask = 0, present = 0;  // bit masks of lanes
    // Lanes that the warp has: the last warp of a block may have fewer than 32.
    std::uint32_t lanes = ~0U;
    int lane_asked = -1;  // the lane whose value a shuffle asks for, if that is the mistake
    // Of a race inside a block: blocks race on the same memory, too, and no barrier fixes that.
    bool blocks_race_too = false;
    double seconds = 0;
    bool waits_for_block = false;  // no_progress: in every schedule a block waits for a later one
    bool in_loop = false;          // no_progress: `first` is the loop that does not end
    std::string expected, got;     // the results of two schedules
    bool of_sets = false;          // schedule_dependence: they differ even if their order is free
    std::size_t untouched = 0;     // number of elements
    Dim3 suggested;                // a grid that would reach them
    // untouched_elements: no thread of the launch wrote, or accessed, anything.
    bool nothing_written = false, nothing_touched = false;
};

}  // namespace lanes::gpu::simulator
