// How one finding looks: the line of source, the caret under it, colours.
#pragma once

#include "diagnostics.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

// Line `number` (from 1) of a text, without its newline.
std::string line_of(std::string_view text, unsigned number);

// "In[5]:3:7: error: …"
std::string headline(const SourcePlace& place, Level level, std::string_view message);

// "stl_vector.h:1283": the last part of a path is enough to a reader of a notebook.
std::string short_place(const SourcePlace& place);

// The line of source, the caret with its ~~~, and what clang would write there instead.
std::vector<std::string> draw(std::string_view source_line, const Finding& finding);

std::string hint_line(std::string_view hint);

}  // namespace xcpp_session
