// What to do about a race. It depends on which threads race, on what the lines do, and on whether a
// barrier can order both sides.
#pragma once

#include "checker_context.hpp"
#include "raw_finding.hpp"

#include <string>

namespace lanes::gpu::simulator {

std::string race_advice(const RawFinding& raw, const CheckerContext& context,
                        const LaunchConfig& config);

// Whether the line uses what an atomic operation returns: as a place, or as a ticket.
bool uses_result(const std::string& line);

// Whether the line assigns a number, true, false or a name in capitals: `*found = 1;`.
bool assigns_constant(const std::string& line);

// For an access by a thread that has no element, or that of another thread: a guard of two
// comparisons, in this line or up to eight lines above it, that joins them by the wrong operator.
// "" if there is none.
std::string guard_advice(const CheckerContext& context, int line);

// Whether the text has this word.
bool has_word(const std::string& text, const std::string& word);

// Line `line` of a text, from 1; "" if there is none.
std::string line_of_text(const std::string& text, int line);

}  // namespace lanes::gpu::simulator
