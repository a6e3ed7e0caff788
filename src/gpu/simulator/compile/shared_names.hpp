// Types of __shared__ arrays, read from the text: the compiled object tells only names and sizes.
#pragma once

#include "gpu/simulator/interface/watcher.hpp"

#include "gpu/backend.hpp"

#include <vector>

namespace lanes::gpu::simulator {

// Fills in the size of an element and whether it is a floating-point number; and the name of the
// dynamic array, which has none yet.
void describe_shared(const ProgramText& program, std::vector<Region>& regions);

bool has_dynamic_shared(
    const ProgramText& program);  // whether the text declares an `extern __shared__` array

// Whether the text declares an array that is none of those, nor __constant__: a local one, or a
// member of a struct.
bool has_other_arrays(const ProgramText& program);

}  // namespace lanes::gpu::simulator
