// Names of the standard library for hints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

// A name in std that looks like this one, or empty.
std::string similar_std_name(std::string_view name);

// Headers that a misspelt #include may have meant.
const std::vector<std::string>& known_headers();

}  // namespace xcpp_session
