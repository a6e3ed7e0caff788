// The few standard headers that CUDA programs include out of habit. NVRTC comes with none of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lanes::gpu::cuda {

// Name and content. Only those that no -I folder of the flags holds: a real one goes before ours.
std::vector<std::pair<std::string, std::string>> standard_headers(
    const std::vector<std::string>& flags);

}  // namespace lanes::gpu::cuda
