// The words of a finding: what, where, who, the line itself, and what to do about it.
#pragma once

#include "checker_context.hpp"
#include "raw_finding.hpp"

#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// Lines of both sides are known. Findings say the same on every machine: no address, no time of
// day.
Finding describe(const RawFinding& raw, const CheckerContext& context, const LaunchConfig& config);

// "lanes 0-15 and 24", of a mask.
std::string lanes_text(std::uint32_t mask);

}  // namespace lanes::gpu::simulator
