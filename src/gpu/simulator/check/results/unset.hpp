// Local variables and arrays that nothing has set. In checked texts the compiler gives them a mark
// first; a mark in a result shows what was forgotten.
#pragma once

#include "gpu/simulator/check/access/access_check.hpp"
#include "gpu/simulator/check/messages/raw_finding.hpp"

#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// Floating-point elements that a thread of this launch wrote and that hold the mark: with clang all
// bits set, a NaN that no operation makes but from itself; with g++ 0xfe in every byte, a number so
// large that sums with others leave it as it is. So it is seen wherever it began; whole numbers
// lose theirs. Of each region the first. Nothing where the mark may have come from an input.
std::vector<RawFinding> unset_results(const std::vector<Region>& regions,
                                      const std::string& program_text, const AccessCheck& check);

}  // namespace lanes::gpu::simulator
