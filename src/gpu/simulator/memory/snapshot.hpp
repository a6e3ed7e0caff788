// The memory that a CUDA kernel may change, as it was before the launch. Each schedule starts from
// it. A launch that fails restores it, so that the corrected CUDA kernel can run on the same
// buffers.
#pragma once

#include "gpu/simulator/interface/watcher.hpp"

#include "shadow.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace lanes::gpu::simulator {

class Snapshot {
public:
    // Only one launch is checked at a time. The memory is kept for the next one: allocating new
    // pages takes longer than the copy.
    explicit Snapshot(const std::vector<Region>& regions);
    ~Snapshot();
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

    Holding holding(const Region& region) const;
    // A region that is const to the CUDA kernel and is about to be written nevertheless.
    void add(const Region& region);
    void restore() const;         // the bytes
    void restore_values() const;  // the bytes, and which of them are initialised

private:
    std::vector<Region> regions_;  // each piece of memory once
    std::size_t bytes_ = 0;
    std::map<const unsigned char*, Values> values_;
};

}  // namespace lanes::gpu::simulator
