// The text of a finding: what happened, where, in which thread, the source line, and what to do.
#pragma once

#include "checker_context.hpp"
#include "raw_finding.hpp"

#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// The lines of both sides must be known. The text is the same on every machine: it contains no
// addresses and no times.
Finding describe(const RawFinding& raw, const CheckerContext& context, const LaunchConfig& config);

// A mask as text: "lanes 0-15 and 24".
std::string lanes_text(std::uint32_t mask);

}  // namespace lanes::gpu::simulator
