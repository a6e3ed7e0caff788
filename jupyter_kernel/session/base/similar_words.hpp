// "Did you mean …?": the known words that a mistyped one is near to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

// Known words (header names, magics) that differ from `word` by few letters, nearest first, at most
// three.
std::vector<std::string> similar_words(std::string_view word,
                                       const std::vector<std::string>& words);

}  // namespace xcpp_session
