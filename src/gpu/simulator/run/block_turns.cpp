#include "block_turns.hpp"

#include <cstring>
#include <utility>

namespace lanes::gpu::simulator {

BlockTurns::BlockTurns(BlockRunner& runner, std::vector<std::uint32_t> order,
                       std::vector<Region> shared, Watcher* watcher)
    : runner_(runner),
      order_(std::move(order)),
      shared_(std::move(shared)),
      watcher_(watcher),
      own_(0),
      waiting_(order_.size()) {
    for (const Region& region : shared_) shared_bytes_ += region.bytes;
    runner_.exchange(own_);
}

BlockTurns::~BlockTurns() { runner_.exchange(own_); }

bool BlockTurns::should_stop() const {
    return runner_.stop || (watcher_ && watcher_->wants_to_stop());
}

// Returns whether the block has ended.
bool BlockTurns::take_turn(std::uint32_t block, PutAside& aside, bool first) {
    unsigned char* kept = aside.shared.data();
    for (const Region& region : shared_) {
        std::memcpy(const_cast<unsigned char*>(region.first), kept, region.bytes);
        kept += region.bytes;
    }
    runner_.exchange(aside.state);
    const ThreadPlace first_thread = runner_.announce(block);
    if (watcher_ && first) watcher_->block_begins(first_thread, shared_);
    if (watcher_ && !first) watcher_->block_continues(first_thread, shared_);
    const bool ended = first ? runner_.run_block(block) : runner_.continue_block();
    if (watcher_ && ended) watcher_->block_ends();
    if (watcher_ && !ended) watcher_->block_waits();
    runner_.exchange(aside.state);
    kept = aside.shared.data();
    for (const Region& region : shared_) {
        std::memcpy(kept, region.first, region.bytes);
        kept += region.bytes;
    }
    return ended;
}

void BlockTurns::run() {
    std::vector<std::uint32_t> returned;
    for (bool first = true; returned.size() < order_.size(); first = false) {
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (first)
                waiting_[i] = std::make_unique<PutAside>(
                    PutAside{BlockState(runner_.threads()),
                             std::vector<unsigned char>(shared_bytes_, 0xff)});
            if (take_turn(order_[i], *waiting_[i], first)) {
                waiting_[i] = nullptr;
                returned.push_back(order_[i]);
            }
            if (should_stop()) return;
        }
        if (!returned.empty() && returned.size() < order_.size()) {
            std::vector<std::uint32_t> stuck;
            for (std::size_t i = 0; i < order_.size(); ++i) {
                if (!waiting_[i]) continue;
                if (stuck.empty()) runner_.exchange(waiting_[i]->state);
                stuck.push_back(order_[i]);
            }
            runner_.stuck_at_grid(stuck, returned);
        }
        if (watcher_) watcher_->grid_passed();
    }
}

}  // namespace lanes::gpu::simulator
