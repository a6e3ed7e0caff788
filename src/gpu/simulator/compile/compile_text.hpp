// From a program's text to a compiled unit, and from a compiler's messages to the student's lines.
#pragma once

#include "gpu/simulator/object/unit.hpp"

#include "gpu/backend.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// entries: name expressions of the __global__ functions to be launched. Throws CudaCompileError.
std::unique_ptr<Unit> compile_text(const ProgramText& program,
                                   const std::vector<std::string>& entries,
                                   const std::string& architecture, bool checked);

}  // namespace lanes::gpu::simulator
