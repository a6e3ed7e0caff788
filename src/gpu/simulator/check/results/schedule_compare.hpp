// Whether another order of threads and blocks gave the same result.
#pragma once

#include "gpu/simulator/interface/watcher.hpp"

#include <functional>
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
    // For the float at an offset of a region: the sum of the absolute values that it was made from.
    // Floats may differ as much as such sums in another order do. Null: every bit counts.
    using Tolerance = std::function<double(const Region&, std::size_t offset)>;

    // Keeps the result of the first schedule: the global regions that may be written.
    void keep(const std::vector<Region>& regions);
    // The first element that differs, by region and index.
    std::optional<Difference> compare(const std::vector<Region>& regions,
                                      const Tolerance& tolerance) const;
    // The same if the order of elements is free: compares the sets of values in all regions with
    // elements of one type together (the links of a list are in one array, its head in another). A
    // value that occurs twice counts twice.
    std::optional<Difference> compare_sets(const std::vector<Region>& regions,
                                           const Tolerance& tolerance) const;
    // Writes the results of the first schedule into the regions again.
    void put_back(const std::vector<Region>& regions) const;
    bool has_kept() const { return kept_; }

private:
    static bool is_same(const Region& region, std::size_t offset, const unsigned char* was,
                        const unsigned char* is, const Tolerance& tolerance);

    bool kept_ = false;
    std::vector<std::vector<unsigned char>> results_;
};

}  // namespace lanes::gpu::simulator
