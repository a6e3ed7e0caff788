// Records every access of a small launch, for pictures.
#pragma once

#include "gpu/launch_record.hpp"
#include "gpu/simulator/interface/watcher.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace lanes::gpu::simulator {

class AccessRecorder {
public:
    // regions: what the launch may access besides shared arrays.
    void start(const std::vector<Region>& regions);
    void stop() { on_ = false; }
    bool is_on() const { return on_; }

    void block_begins(std::uint32_t block, const std::vector<Region>& shared);
    void block_waits() { steps_[block_] = step_; }  // until block_continues
    void block_continues(std::uint32_t block) { block_ = block, step_ = steps_[block]; }
    void barrier_passed(const void* code);
    // offset: in bytes; outside of the region for an access that was about to leave it.
    void add(const Region& region, std::ptrdiff_t offset, std::size_t bytes, AccessKind kind,
             std::uint32_t thread, const void* code);
    // The running thread's access races with an earlier one of another thread. It may be reported
    // before the access itself is added.
    void race(const Region& region, std::size_t offset, std::uint32_t thread,
              std::uint32_t other_block, std::uint32_t other_thread);

    // Puts accesses, arrays and barriers into the record.
    void give(LaunchRecord& record) const;

private:
    struct Race {
        std::uint32_t array;
        std::ptrdiff_t element;
        std::uint32_t block, thread;
        std::uint32_t step;  // any_step: of another block, whose steps are not ordered with ours
    };
    static constexpr std::uint32_t any_step = ~0U;

    std::uint32_t array_of(const Region& region);

    bool on_ = false, started_ = false, full_ = false;
    std::uint32_t block_ = 0, step_ = 0;
    std::map<std::uint32_t, std::uint32_t> steps_;  // of blocks that wait for the grid
    std::vector<const unsigned char*> firsts_;      // addresses of the arrays
    std::vector<AccessedArray> arrays_;
    std::vector<std::pair<const void*, MemoryAccess>> accesses_;
    std::vector<const void*> barriers_;
    std::vector<Race> races_;
};

}  // namespace lanes::gpu::simulator
