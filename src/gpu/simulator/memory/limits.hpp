// What one launch may request on each architecture that the simulator can imitate.
#pragma once

#include "lanes/gpu/device.hpp"

#include <string>

namespace lanes::gpu::simulator {

// architecture: for example "sm_90". Throws Error with the list of names if it is unknown.
DeviceLimits limits_of(const std::string& architecture);

}  // namespace lanes::gpu::simulator
