// Changes to the compiler's assembler text that cannot be expressed in C++.
#pragma once

#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// - dynamic_shared: names of `extern __shared__` arrays. All of them mean the dynamic shared memory
// of the block.
// - checked: unused bytes follow each shared array and each variable of the device, so that an
// index that runs from one array into the next is noticed. The built-in variables are defined here,
// because instrumented code declares them as constants of another file.
std::string with_gaps_and_names(const std::string& assembly, bool checked,
                                const std::vector<std::string>& dynamic_shared);

}  // namespace lanes::gpu::simulator
