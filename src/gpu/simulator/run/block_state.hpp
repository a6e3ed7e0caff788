// What a BlockRunner knows of the block that it runs: where its threads are, and their stacks. A
// block that waits for other blocks is put aside with it.
#pragma once

#include "fiber.hpp"
#include "gpu/simulator/interface/tables.hpp"
#include "gpu/simulator/interface/watcher.hpp"
#include "stacks.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace lanes::gpu::simulator {

struct BlockState {
    explicit BlockState(std::uint32_t threads) : stacks_(threads), fibers_(threads) {}

    enum State : std::uint8_t { unstarted, ready, at_barrier, in_tile, in_warp, asks_active, done };
    struct Fiber {
        SavedStack stack;
        std::uint32_t first = 0;   // position at which its loop over threads began
        std::uint32_t thread = 0;  // the thread that it runs, once it no longer runs ahead
        bool split = false;        // its thread has waited: it no longer runs ahead
    };
    struct Wait {
        const void* code = nullptr;
        const char* what = "";
        std::uint64_t value = 0, result = 0;
        std::uint32_t mask = 0;
        lanes_warp_op op{};
        std::int16_t source = 0;
        int flag = 0;
    };

    Stacks stacks_;
    std::uint32_t block_number_ = 0;
    Coordinates block_{};
    std::vector<Fiber> fibers_;
    std::vector<std::uint16_t> free_fibers_;
    std::uint32_t fresh_fiber_ = 0;  // this one and the following ones were not used in this block
    bool prepared_ = false;  // a block whose threads never wait needs nothing of the following
    bool waits_for_grid_ = false;  // its turn ended: all its threads wait for the other blocks
    std::uint32_t position_ = 0;   // position of the running thread, in the order
    // waiting_: at a barrier; at_grid_: those of them that wait at sync() of the grid
    std::uint32_t done_ = 0, waiting_ = 0, at_grid_ = 0;
    int barrier_sum_ = 0;
    std::uint32_t barrier_number_ = 0;
    // Of this barrier and of the one before: count << 32 | threads.
    std::array<std::uint64_t, 2> barrier_result_{};
    std::array<std::uint8_t, Stacks::most> state_{};  // by position
    std::array<Wait, Stacks::most> wait_;             // by thread
    std::array<std::uint32_t, Stacks::most / 32> gone_{}, in_warp_{};
    std::array<std::uint16_t, Stacks::most> fiber_of_{};
};

}  // namespace lanes::gpu::simulator
