// The machine code of a function as text, for %asm.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace xcpp_session {

struct Instruction {
    std::uint64_t offset = 0;  // from the first byte of the function
    std::string text;          // on x86 in Intel's notation
    std::string refers_to;     // the function or variable whose address the linker puts in
    int cell = 0, line = 0;    // cell 0: no line of a cell
};

struct FunctionCode {
    std::string name;  // as C++ writes it
    std::vector<Instruction> instructions;
};

}  // namespace xcpp_session
