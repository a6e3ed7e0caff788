// A launch as messages name it: "launch max_v1 <<<1000, 2048>>>".
#pragma once

#include "lanes/gpu/report.hpp"

#include <string>

namespace lanes::gpu {

std::string shape_text(const Dim3& shape);  // "1000", "(16, 16)", "(4, 4, 4)"
std::string launch_text(const std::string& cuda_kernel, const LaunchConfig& config);

}  // namespace lanes::gpu
