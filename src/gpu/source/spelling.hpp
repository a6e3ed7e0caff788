// Hints for misspelt words of CUDA: threadidx, syncthreads(), __syncthread().
#pragma once

#include <string>

namespace lanes::gpu {

// "threadidx: did you mean threadIdx?" if the compiler's message names an unknown word and CUDA has
// a similar one. Also finds CUDA words that are used wrongly in the line of the message: threadIdx
// without .x, atomicAdd without &, x^2 for a square. Otherwise "". column: from 1; 0 if unknown.
std::string spelling_hint(const std::string& message, const std::string& line, int column);

}  // namespace lanes::gpu
