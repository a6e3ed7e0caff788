// Which lines of cells the code of a program was compiled from (by its debug information).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace xcpp_session {

struct CellLine {
    int cell = 0;
    unsigned line = 0;
};

// The lines of cells on a stack, the innermost first. frames: offsets from the program's first
// byte; the first is where the program was, the others are return addresses. Code of libraries and
// of headers is left out.
std::vector<CellLine> lines_of_cells(const std::string& program,
                                     const std::vector<std::uint64_t>& frames);

}  // namespace xcpp_session
