// What to do about a finding, and the source line it is about.
#pragma once

#include "checker_context.hpp"
#include "raw_finding.hpp"

#include <string>

namespace lanes::gpu::simulator {

// One or two sentences; "" if there is nothing to add.
std::string advice_for(const RawFinding& raw, const CheckerContext& context,
                       const LaunchConfig& config);

// The region that the line names at the access; nullptr if it names none there, or several.
const Region* region_named(const CheckerContext& context, const RawSide& side,
                           const std::vector<Region>& regions);

// The line with its number, and a caret below the object if the line names it, otherwise below the
// access. "" if the line is not known.
std::string source_line(const CheckerContext& context, const RawSide& side,
                        const std::string& object);

// The word in the text at a line and column (both from 1), or the word whose subscript ends there;
// "" if there is none.
std::string name_at(const std::string& text, unsigned line, unsigned column);

}  // namespace lanes::gpu::simulator
