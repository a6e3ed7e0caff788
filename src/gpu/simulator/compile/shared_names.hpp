// Types of __shared__ arrays, read from the text: the compiled object has only names and sizes.
#pragma once

#include "gpu/simulator/interface/watcher.hpp"

#include "gpu/backend.hpp"

#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// Fills in the size of an element and whether it is a floating-point number, and the name of the
// dynamic array, which has none yet. A name that several functions declare means that of `entry`.
void describe_shared(const ProgramText& program, const std::string& entry,
                     std::vector<Region>& regions);

// The names of `extern __shared__` arrays, each once.
std::vector<std::string> dynamic_shared_names(const ProgramText& program);

// Whether the text declares an array that is neither __shared__ nor __constant__: a local array, or
// a member of a struct.
bool has_other_arrays(const ProgramText& program);

}  // namespace lanes::gpu::simulator
