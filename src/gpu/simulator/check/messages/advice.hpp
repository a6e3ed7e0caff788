// What to do about a finding, and the line of the text that it speaks of.
#pragma once

#include "checker_context.hpp"
#include "raw_finding.hpp"

#include <string>

namespace lanes::gpu::simulator {

// One or two sentences; "" where there is nothing to add.
std::string advice_for(const RawFinding& raw, const CheckerContext& context,
                       const LaunchConfig& config);

// The one of the regions that the line names where the access is; nullptr where it names none or
// several there.
const Region* region_named(const CheckerContext& context, const RawSide& side,
                           const std::vector<Region>& regions);

// The line with its number, and a caret below the object where the line names it, else below the
// access. "" where the line is not known.
std::string source_line(const CheckerContext& context, const RawSide& side,
                        const std::string& object);

// The word that stands in the text at a line and a column, both from 1, or whose subscript ends
// there; "" where there is none.
std::string name_at(const std::string& text, unsigned line, unsigned column);

}  // namespace lanes::gpu::simulator
