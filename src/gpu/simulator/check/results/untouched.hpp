// Elements that no thread reached because the grid is too small: n / block instead of (n + block -
// 1) / block, or even fewer blocks.
#pragma once

#include "gpu/simulator/check/access/access_check.hpp"
#include "gpu/simulator/check/messages/checker_context.hpp"
#include "gpu/simulator/check/messages/raw_finding.hpp"

#include <vector>

namespace lanes::gpu::simulator {

struct Untouched {
    std::vector<RawFinding> findings;
    // Set if the decision depends on whether the rest of this input was read, and reads of it were
    // not recorded: the launch must run again with this region watched. Otherwise null.
    const unsigned char* must_be_watched = nullptr;
};

// Reports only what is certain enough. Every thread wrote the same number of elements, without a
// gap from the first element on, and one of these holds:
// - An argument says that there are more elements, or another buffer has as many; what is left is
// less than one more block would do; and it is uninitialised, or skipped by an in-place CUDA
// kernel.
// - The arguments say that the CUDA kernel knows the number of all elements, none of them may be an
// offset or a smaller number that was intended, and the rest of an input of the same size was not
// read either.
Untouched untouched_elements(const LaunchConfig& config, const std::vector<Region>& regions,
                             const Arguments& arguments, const AccessCheck& check);

}  // namespace lanes::gpu::simulator
