// What one launch may ask for on each architecture that the simulator can stand for.
#pragma once

#include "lanes/gpu/device.hpp"

#include <string>

namespace lanes::gpu::simulator {

DeviceLimits limits_of(const std::string& architecture);  // "sm_90"; throws Error with the list for
                                                          // one that is not known

}  // namespace lanes::gpu::simulator
