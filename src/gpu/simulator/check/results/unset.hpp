// Local variables and arrays that nothing has set. In checked code the compiler fills them with a
// mark; a mark in a result shows that a variable was not set.
#pragma once

#include "gpu/simulator/check/access/access_check.hpp"
#include "gpu/simulator/check/messages/raw_finding.hpp"

#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// Floating-point elements that a thread of this launch wrote and that hold the mark; the first one
// of each region. With clang the mark has all bits set: a NaN that no operation produces except
// from itself. With g++ it is 0xfe in every byte: a number so large that adding others does not
// change it. So the mark survives computations wherever it came from. Integers lose theirs. Returns
// nothing if the mark may have come from an input.
std::vector<RawFinding> unset_results(const std::vector<Region>& regions,
                                      const std::string& program_text, const AccessCheck& check);

}  // namespace lanes::gpu::simulator
