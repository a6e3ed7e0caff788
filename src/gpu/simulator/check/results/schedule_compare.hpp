// Whether another order of threads and blocks gave the same result.
#pragma once

#include "gpu/simulator/interface/watcher.hpp"

#include <optional>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

struct Difference {
    Region region;
    std::size_t index = 0;      // of the element
    std::string expected, got;  // in the first schedule, in this one
};

class ScheduleCompare {
public:
    // Keeps the result of the first schedule: the global regions that may be written.
    void keep(const std::vector<Region>& regions);
    // The first element that differs, by region and index. With tolerance, floats may differ as
    // much as sums in another order do; otherwise every bit counts.
    std::optional<Difference> compare(const std::vector<Region>& regions, bool tolerance) const;
    bool has_kept() const { return kept_; }

private:
    bool kept_ = false;
    std::vector<std::vector<unsigned char>> results_;
};

}  // namespace lanes::gpu::simulator
