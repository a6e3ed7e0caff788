// Changes to the compiler's assembler text that C++ has no words for.
#pragma once

#include <string>

namespace lanes::gpu::simulator {

// - Names that are hidden and not defined are `extern __shared__` arrays: all of them are the one
// dynamic shared memory of the block.
// - checked: behind each static shared array come bytes that belong to nobody, so that an index
// that runs from one into the next is seen; and the built-in
//   variables are defined, which the instrumented text takes for constants.
std::string with_gaps_and_names(const std::string& assembly, bool checked);

}  // namespace lanes::gpu::simulator
