// Functions and variables of the host that CUDA code uses: a missing __device__.
#pragma once

#include "gpu/source/diagnostics.hpp"

#include <set>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// log: the messages of clang's CUDA mode. files: names of the program's own text and of the files
// that it includes from its own folders; what is declared elsewhere is not judged. Each declaration
// is reported once, at its first use.
std::vector<CompileMessage> host_code_in_device_code(const std::string& log,
                                                     const std::set<std::string>& files);

}  // namespace lanes::gpu::simulator
