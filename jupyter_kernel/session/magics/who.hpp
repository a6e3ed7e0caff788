// %who: what the session holds.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace xcpp_session {

struct WhoRow {
    std::string name, type;
    int cell = 0;
    std::string value;   // empty for what has none
    long size = 0;       // bytes of a variable, without what it points to
    long elements = -1;  // of a container; -1: it is none
};

// Columns name, type, cell, value; long types and values are cut.
std::string who_table(const std::vector<WhoRow>& rows);
// A list of objects with name, type, cell, value, size and elements, for programs.
nlohmann::json who_data(const std::vector<WhoRow>& rows);

}  // namespace xcpp_session
