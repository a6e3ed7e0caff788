// Elements that no thread reached because the grid is too small: n / block instead of (n + block -
// 1) / block, or fewer blocks still.
#pragma once

#include "gpu/simulator/check/access/access_check.hpp"
#include "gpu/simulator/check/messages/checker_context.hpp"
#include "gpu/simulator/check/messages/raw_finding.hpp"

#include <vector>

namespace lanes::gpu::simulator {

struct Untouched {
    std::vector<RawFinding> findings;
    // Whether the rest of an input was read decides, and nobody has watched it: the launch is to be
    // run again with this region watched. Else null.
    const unsigned char* must_be_watched = nullptr;
};

// Says something only where it is certain enough. Every thread wrote as many elements as every
// other, without a gap from the first one on, and:
// - an argument says that there is more, or another buffer has as many elements, what is left is
// less than one more block would do, and it holds nothing or is
//   passed over by a CUDA kernel that works in place; or
// - arguments say that the CUDA kernel knows of all elements, none of them may be an offset or the
// number that was meant, and what is left of an input of the
//   same size was not read either.
Untouched untouched_elements(const LaunchConfig& config, const std::vector<Region>& regions,
                             const Arguments& arguments, const AccessCheck& check);

}  // namespace lanes::gpu::simulator
