#pragma once

#include <cstdint>

namespace xcpp_session {

// One instruction address and the line of the cell that it was compiled from. cell as in
// ObjectLine (compiler/code_lines.hpp).
struct CodeLine {
    std::uint64_t address;
    int cell;
    int line;
};

}  // namespace xcpp_session
