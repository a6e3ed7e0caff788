// What a CUDA kernel may change, as it was before the launch: each schedule starts from it, and a
// launch that fails ends with it, so that it can be corrected and run again on the same buffers.
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
    // Only one launch is checked at a time. The memory is kept for the next one: pages that are new
    // take longer than the copy.
    explicit Snapshot(const std::vector<Region>& regions);
    ~Snapshot();
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

    Holding holding(const Region& region) const;
    void add(const Region& region);  // one that is const to the CUDA kernel, and is about to be
                                     // written all the same
    void restore() const;            // the bytes
    void restore_values() const;     // the bytes, and which of them have a value

private:
    std::vector<Region> regions_;  // each piece of memory once
    std::size_t bytes_ = 0;
    std::map<const unsigned char*, Values> values_;
};

}  // namespace lanes::gpu::simulator
