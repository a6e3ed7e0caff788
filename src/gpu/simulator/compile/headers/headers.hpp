// The headers that a CUDA text may include. The simulator has its own version of each.
#pragma once

#include <vector>

namespace lanes::gpu::simulator {

struct HeaderFile {
    const char *name, *content;
};
// Headers of CUDA and of C, and those that device code cannot use: they say what to do instead.
const std::vector<HeaderFile>& header_files();

}  // namespace lanes::gpu::simulator
