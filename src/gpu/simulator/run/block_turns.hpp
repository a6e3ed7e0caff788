// Runs the blocks of a cooperative launch by turns, on one host thread: each one until it ends or
// all its threads wait at sync() of the grid. Between two turns a block is put aside, with its
// stacks and its shared memory.
#pragma once

#include "block_runner.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace lanes::gpu::simulator {

class BlockTurns {
public:
    // order: of the blocks. shared: the memory of the running block. watcher: null in fast mode.
    BlockTurns(BlockRunner& runner, std::vector<std::uint32_t> order, std::vector<Region> shared,
               Watcher* watcher);
    ~BlockTurns();  // after runner.guarded(), even if the blocks were left
    BlockTurns(const BlockTurns&) = delete;
    BlockTurns& operator=(const BlockTurns&) = delete;

    void run();  // inside runner.guarded()

private:
    struct PutAside {
        BlockState state;
        std::vector<unsigned char> shared;
    };
    bool take_turn(std::uint32_t block, PutAside& aside, bool first);
    bool should_stop() const;

    BlockRunner& runner_;
    std::vector<std::uint32_t> order_;
    std::vector<Region> shared_;
    std::size_t shared_bytes_ = 0;
    Watcher* watcher_;
    BlockState own_;  // the runner's
    std::vector<std::unique_ptr<PutAside>> waiting_;
    // Blocks. Not inside of run(), which a jump may leave: what it holds then is not given back.
    std::vector<std::uint32_t> returned_, stuck_;
};

}  // namespace lanes::gpu::simulator
