// Which line of which cell an instruction came from: read from the debug lines of an object file
// just before it is linked.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "llvm/Support/MemoryBufferRef.h"

namespace llvm::object {
class ObjectFile;
}

namespace xcpp_session {

struct LineOfCell {
    int cell, line;  // cell 0: text of a header
};
using ObjectPlaces =
    std::map<std::pair<std::uint64_t, std::uint64_t>, LineOfCell>;  // by section and address

// `known` holds other marks; the line of a cell replaces one of the same address.
ObjectPlaces read_places(const llvm::object::ObjectFile& object, ObjectPlaces known = {});

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
