// Which loop of a CUDA text a line belongs to. A thread that makes no progress is stopped wherever
// it happens to be; its loop is the same on every run.
#pragma once

#include "lines.hpp"

#include <string>

namespace lanes::gpu::simulator {

// The innermost for, while or do whose statement reaches over the line: where its keyword stands.
// Line 0 where the line is in no loop.
SourceLine loop_around(const std::string& text, int line);

// Whether one loop reaches over both.
bool are_in_one_loop(const std::string& text, int first, int last);

}  // namespace lanes::gpu::simulator
