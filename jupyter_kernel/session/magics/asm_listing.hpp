// %asm: machine code beside the lines of cells.
#pragma once

#include "session/base/machine_code.hpp"

#include <map>
#include <string>
#include <vector>

namespace xcpp_session {

// sources: text of a cell by number.
std::string asm_listing(const std::vector<FunctionCode>& functions,
                        const std::map<int, std::string>& sources);

}  // namespace xcpp_session
