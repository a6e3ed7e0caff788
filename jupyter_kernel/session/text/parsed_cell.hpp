// The text of a cell, divided once into its magics and its C++.
#pragma once

#include "magic_lines.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

struct ParsedCell {
    explicit ParsedCell(std::string text) : code(std::move(text)), segments(split_magics(code)) {}

    // Is the magic all that the cell holds?
    bool is_only(std::string_view magic) const {
        return segments.size() == 1 && segments[0].magic.name == magic;
    }

    std::string code;
    std::vector<Segment> segments;  // in their order, never empty
};

}  // namespace xcpp_session
