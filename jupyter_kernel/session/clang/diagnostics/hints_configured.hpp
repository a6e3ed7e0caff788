// Hints that come in through the configuration: a library's own words for what its users write by
// mistake.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

// file: a JSON list of {"words": […], "say": "…"}; what does not look so is passed over. Replaces
// what an earlier file held.
void read_configured_hints(const std::string& file);

// What to say where one of the words is quoted in an error or stands in its line; empty: nothing.
std::string configured_hint(const std::vector<std::string>& quoted, std::string_view line);

}  // namespace xcpp_session
