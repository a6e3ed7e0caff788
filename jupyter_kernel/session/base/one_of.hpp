#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace xcpp_session {

// one_of(text, {"a", "b"})
template <class Words = std::initializer_list<std::string_view>>
bool one_of(std::string_view text, const Words& words) {
    return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

}  // namespace xcpp_session
