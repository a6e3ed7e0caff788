// Whether another order of threads and blocks gave the same result.
#pragma once

#include "gpu/simulator/interface/watcher.hpp"

#include <optional>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

struct Difference {
    Region region;
    std::size_t index = 0;      // element
    std::string expected, got;  // of the first schedule, of this one
};

class ScheduleCompare {
public:
    void keep(const std::vector<Region>&
                  regions);  // the first schedule's result: global regions that may be written
    // The first element, by region and index, that differs. With tolerance floats may differ as
    // sums in another order do; else every bit counts.
    std::optional<Difference> compare(const std::vector<Region>& regions, bool tolerance) const;
    bool has_kept() const { return kept_; }

private:
    bool kept_ = false;
    std::vector<std::vector<unsigned char>> results_;
};

}  // namespace lanes::gpu::simulator
