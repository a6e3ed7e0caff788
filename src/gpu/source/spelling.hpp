// Words of CUDA that were written wrongly: threadidx, syncthreads(), __syncthread().
#pragma once

#include <string>

namespace lanes::gpu {

// "threadidx: did you mean threadIdx?", where a compiler's message names what it does not know, and
// CUDA has a word that is nearly the same; what is wrong with a word of CUDA in the line that the
// message speaks of: threadIdx without .x, atomicAdd without &; else "".
std::string spelling_hint(const std::string& message, const std::string& line,
                          int column);  // from 1; 0 where it is not known

}  // namespace lanes::gpu
