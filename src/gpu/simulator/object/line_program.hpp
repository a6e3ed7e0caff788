// The line table of a compiled text (DWARF 2 to 5, section .debug_line), only for columns: the
// tools that handle inlined functions do not print columns.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

namespace lanes::gpu::simulator {

struct LineColumn {
    int line = 0, column = 0;  // from 1; 0 if unknown
};

// By the address where the code of that place begins; it ends where the next one begins. Anything
// that cannot be read is left out.
using LineProgram = std::map<std::uintptr_t, LineColumn>;
LineProgram read_line_program(std::string_view section);

}  // namespace lanes::gpu::simulator
