// Which loop of a CUDA text a line belongs to. A thread that makes no progress is stopped on an
// arbitrary line; the loop around it is the same in every run.
#pragma once

#include "lines.hpp"

#include <string>

namespace lanes::gpu::simulator {

// The position of the keyword of the innermost for, while or do that contains the line. Line 0 if
// the line is in no loop.
SourceLine loop_around(const std::string& text, int line);

// Whether one loop contains both lines.
bool are_in_one_loop(const std::string& text, int first, int last);

}  // namespace lanes::gpu::simulator
