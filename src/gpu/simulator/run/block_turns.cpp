#include "block_turns.hpp"

#include <algorithm>
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
        std::copy_n(kept, region.bytes, const_cast<unsigned char*>(region.first));
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
        std::copy_n(region.first, region.bytes, kept);
        kept += region.bytes;
    }
    return ended;
}

void BlockTurns::run() {
    for (bool first = true; returned_.size() < order_.size(); first = false) {
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (first)
                waiting_[i] = std::make_unique<PutAside>(
                    PutAside{BlockState(runner_.threads()),
                             std::vector<unsigned char>(shared_bytes_, 0xff)});
            if (take_turn(order_[i], *waiting_[i], first)) {
                waiting_[i] = nullptr;
                returned_.push_back(order_[i]);
            }
            if (should_stop()) return;
        }
        if (!returned_.empty() && returned_.size() < order_.size()) {
            for (std::size_t i = 0; i < order_.size(); ++i) {
                if (!waiting_[i]) continue;
                if (stuck_.empty()) runner_.exchange(waiting_[i]->state);
                stuck_.push_back(order_[i]);
            }
            runner_.stuck_at_grid(stuck_, returned_);
        }
        if (watcher_) watcher_->grid_passed();
    }
}

}  // namespace lanes::gpu::simulator
