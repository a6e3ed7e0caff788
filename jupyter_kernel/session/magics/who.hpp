// %who: what the session holds.
#pragma once

#include <string>
#include <vector>

namespace xcpp_session {

struct WhoRow {
    std::string name, type;
    int cell = 0;
    std::string value;  // empty for what has none
};

// Columns name, type, cell, value; long types and values are cut.
std::string who_table(const std::vector<WhoRow>& rows);

}  // namespace xcpp_session
