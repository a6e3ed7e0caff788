// #if … #endif in a cell: which branches hold is asked of the preprocessor first, the others are
// blanked out, so that what remains can be taken apart.
#pragma once

#include "session/base/line_origins.hpp"

#include <functional>
#include <string>
#include <vector>

namespace xcpp_session {

// taken: given a text of directives only, the numbers N of the `#pragma xcpp branch N` in it that
// were reached.
std::string without_other_branches(
    const std::string& code, const LineOrigins& lines,
    const std::function<std::vector<int>(const std::string&)>& taken);

}  // namespace xcpp_session
