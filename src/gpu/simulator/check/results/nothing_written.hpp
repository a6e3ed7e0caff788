// A launch that leaves every buffer as it was: a guard the wrong way round, a condition that nobody
// meets. It may be meant, where a search has no hit.
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

// Speaks of buffers that the CUDA kernel may write and names in its body. A finding where no thread
// touched anything, or where none of these buffers had a value before: then nobody can have meant
// it. A hint otherwise, and where a number of 0 or a struct may be the reason. Silent where
// something was printed, where the body has an assert, and where no number is positive: there is
// nothing to do.
NothingWritten nothing_written(const std::vector<Region>& regions, const CheckerContext& context,
                               const AccessCheck& check);

}  // namespace lanes::gpu::simulator
