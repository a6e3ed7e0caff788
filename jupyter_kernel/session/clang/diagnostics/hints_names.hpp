// Names of the standard library for hints, from clang's own list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

// The header that declares std::name, without brackets ("vector"), or empty.
std::string header_of_std_name(std::string_view name);

// A name in std that looks like this one, or empty.
std::string similar_std_name(std::string_view name);

// Headers that a misspelt #include may have meant.
const std::vector<std::string>& known_headers();

}  // namespace xcpp_session
