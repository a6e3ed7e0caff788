// A grid that was rounded down: n / block instead of (n + block - 1) / block leaves the last elements of an output alone.
#pragma once

#include "access_check.hpp"
#include "checker.hpp"
#include "raw_finding.hpp"

#include <vector>

namespace lanes::gpu::simulator {

// Says something only where it is certain enough: every thread wrote as many elements as every other, elements without a gap from the first one on; what is
// left is less than one more block would do, and holds nothing, or is passed over by a CUDA kernel that works in place; and an argument says that there is
// more, or another buffer has as many elements.
std::vector<RawFinding> untouched_elements(const LaunchConfig& config, const std::vector<Region>& regions, const std::vector<ScalarArgument>& scalars,
                                           const AccessCheck& check);

}  // namespace lanes::gpu::simulator
