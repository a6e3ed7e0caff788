// How well a name fits what was typed: the order of clangd's fuzzy matching, in short.
#pragma once

#include <optional>
#include <string_view>

namespace xcpp_session {

enum class Fit {
    abbreviation,       // the typed characters are in the name, in this order
    prefix_other_case,  // the name begins with them, in another case
    prefix,
};

struct Score {
    Fit fit;
    int points;  // of two abbreviations the one with more points fits better
};

// Nothing if the name does not fit. In an abbreviation the first character, and each one after a
// gap, must begin a word of the name: "fu" and "fous" fit foo_user and FooUser, "oo" does not.
std::optional<Score> match_score(std::string_view typed, std::string_view name);

}  // namespace xcpp_session
