// The parts of a preprocessor line, without preprocessing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace xcpp_session {

struct Directive {
    std::string_view name, rest;  // "include", "\"a.hpp\""
};

Directive directive_of(std::string_view text);
bool opens_condition(std::string_view name);  // if, ifdef, ifndef

struct Include {
    std::string name;
    bool quoted = false;
    std::size_t begin = 0;  // of the name in the line, behind its quote or bracket
};

// Nothing where the line includes no file, or one that a macro names.
std::optional<Include> include_of(std::string_view text);

// Where the string or character of a directive that starts at `at` has ended: behind its closing
// quote, or behind its opening one if it does not end on the line (#error don't).
std::size_t quoted_end(std::string_view code, std::size_t at);

}  // namespace xcpp_session
