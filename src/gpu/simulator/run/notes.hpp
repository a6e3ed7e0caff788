// What a user should know of a launch that succeeded: hints, and that the checks took long.
#pragma once

#include <functional>
#include <string>

namespace lanes::gpu::simulator {

// Prints one, to standard error. A whole CUDA program sets another function, which says it in
// CUDA's words. Set it before the first launch.
std::function<void(const std::string&)>& print_note();

}  // namespace lanes::gpu::simulator
