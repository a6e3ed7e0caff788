// A CUDA program on the simulator. It is compiled once; templates when they are requested.
#pragma once

#include "gpu/backend.hpp"

#include <memory>
#include <string>

namespace lanes::gpu::simulator {

std::shared_ptr<Module> make_module(const ProgramText& program, const std::string& architecture,
                                    const DeviceLimits& limits, const Checks& checks);

}  // namespace lanes::gpu::simulator
