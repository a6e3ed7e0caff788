// The statements and definitions of a text, told apart by their looks: for texts that cannot be
// parsed (a cell with a cursor in it) or that are not for the interpreter (a program of its own).
// What a cell holds when it is run is found out by the cell's own splitter.
#pragma once

#include "completeness_scan.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

struct Chunk {
    std::vector<ScanToken> tokens;
    std::string_view text;
    bool definition =
        false;  // a function, class, template, namespace or alias: belongs outside of functions
    bool variable = false;  // looks like "type name = …;"
};

struct Chunks {
    std::vector<Chunk> chunks;  // the last one may be unfinished
    std::string directives;     // preprocessor lines, in order
    std::string closers;        // of the brackets that are open at the end
};

// Views point into `text`. Magics are left out.
Chunks split_chunks(std::string_view text);

}  // namespace xcpp_session
