// Which line of which cell an instruction came from: read from the debug lines of an object file
// just before it is linked.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "llvm/Support/MemoryBufferRef.h"

namespace xcpp_session {

// A place in a function, before addresses are known.
struct ObjectLine {
    static constexpr int border = -1;

    std::string function;  // mangled; one of the same section
    std::int64_t offset;   // from that function's first byte
    int cell;  // 0: no cell's text; border: the same, and a function begins here or has ended just
               // before
    int line;
};

std::vector<ObjectLine> read_object_lines(llvm::MemoryBufferRef object);

}  // namespace xcpp_session
