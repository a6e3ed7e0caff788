// Types of __shared__ arrays, read from the text: the compiled object has only names and sizes.
#pragma once

#include "gpu/simulator/interface/watcher.hpp"

#include "gpu/backend.hpp"

#include <vector>

namespace lanes::gpu::simulator {

// Fills in the size of an element and whether it is a floating-point number, and the name of the
// dynamic array, which has none yet.
void describe_shared(const ProgramText& program, std::vector<Region>& regions);

// Whether the text declares an `extern __shared__` array.
bool has_dynamic_shared(const ProgramText& program);

// Whether the text declares an array that is neither __shared__ nor __constant__: a local array, or
// a member of a struct.
bool has_other_arrays(const ProgramText& program);

}  // namespace lanes::gpu::simulator
