// Where the files lie that a cell includes: beside the notebook. clang remembers by name what it
// has found and what it has not, and so would miss a file that a cell has written since, or find
// one of a folder that the session has left: here its name becomes absolute.
#pragma once

#include "session/text/tokens.hpp"

#include <functional>
#include <string>
#include <vector>

namespace xcpp_session {

// The cell with the absolute name of each file of #include "…" and __has_include("…") that lies in
// one of the folders, the first that has it. Where none has it, and `elsewhere` knows no other
// place, __has_include("…") becomes 0. Lines stay where they are.
SourceText with_absolute_names(SourceText cell, const std::vector<std::string>& folders,
                               const std::function<bool(const std::string& name)>& elsewhere);

}  // namespace xcpp_session
