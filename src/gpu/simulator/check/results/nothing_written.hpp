// A launch that leaves every buffer unchanged: an inverted guard, or a condition that is never
// true. It may be intended, as in a search that finds nothing.
#pragma once

#include "gpu/simulator/check/access/access_check.hpp"
#include "gpu/simulator/check/messages/checker_context.hpp"
#include "gpu/simulator/check/messages/raw_finding.hpp"

#include <string>
#include <vector>

namespace lanes::gpu::simulator {

struct NothingWritten {
    std::vector<RawFinding> findings;
    std::vector<std::string> hints;
};

// Considers buffers that the CUDA kernel may write and that its body names.
// It is a finding if no thread accessed anything, or if none of these buffers was initialised
// before: nobody can have intended that. It is a hint otherwise, and if an argument of 0 or a
// struct may be the reason.
// Nothing is reported if something was printed, if the body has an assert, or if no integer
// argument is positive (then there is nothing to do).
NothingWritten nothing_written(const std::vector<Region>& regions, const CheckerContext& context,
                               const AccessCheck& check);

}  // namespace lanes::gpu::simulator
