// Names that a cell would have defined if it had compiled, for a check that tests an older version.
// missing_names.hpp has the hint for a cell that misses one.
#pragma once

#include <string>
#include <vector>

namespace xcpp_session {

void note_failed_cell(const std::vector<std::string>& names, int cell);
// A later cell defines them.
void forget_failed(const std::vector<std::string>& names);

// The cell that would have defined the name last; 0 if none has failed since it was defined.
int failed_cell_of(const std::string& name);

}  // namespace xcpp_session
