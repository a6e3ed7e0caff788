// What to do about a race. It depends on which threads race, on what the lines do, and on whether a
// barrier can order both sides.
#pragma once

#include "checker_context.hpp"
#include "raw_finding.hpp"

#include <string>

namespace lanes::gpu::simulator {

std::string race_advice(const RawFinding& raw, const CheckerContext& context,
                        const LaunchConfig& config);

// Line `line` of a text, from 1; "" if there is none.
std::string line_of_text(const std::string& text, int line);

}  // namespace lanes::gpu::simulator
