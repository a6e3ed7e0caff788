// Finds the magics of a cell: which of its lines are C++, which are rows of the table of
// magics.hpp.
#pragma once

#include "magics.hpp"
#include "tokens.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

// One piece of a cell: C++ or one magic.
struct Segment {
    Magic magic;          // or C++
    SourceText source{};  // C++
    unsigned line = 1;    // the cell's line on which the C++ starts
};

// A cell may hold !shell and %magic lines between its C++. They count only where a statement has
// ended, outside of all brackets: there neither ! nor % can be an operator. A cell of C++ alone is
// one segment.
std::vector<Segment> split_magics(const std::string& code);

// The magic that the whole cell is; C++ if it is that, or several things.
Magic parse_magic(const std::string& code);

// True if this line, outside of all brackets and after the token `previous`, is not C++. It is
// given without its indentation.
bool starts_magic(std::string_view line, bool indented, const Token& previous);

}  // namespace xcpp_session
