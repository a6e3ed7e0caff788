#include "completion_match.hpp"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace xcpp_session {
namespace {

constexpr int impossible = std::numeric_limits<int>::min() / 2;

bool same_letter(char a, char b) { return llvm::toLower(a) == llvm::toLower(b); }

// The u of foo_user, the U of FooUser and isURL, the L of nothing in "isURL".
bool begins_word(std::string_view name, std::size_t at) {
    if (at == 0 || name[at] == '_' || !llvm::isAlnum(name[at - 1])) return true;
    if (llvm::isDigit(name[at])) return !llvm::isDigit(name[at - 1]);
    if (!llvm::isUpper(name[at])) return false;
    return !llvm::isUpper(name[at - 1]) || (at + 1 < name.size() && llvm::isLower(name[at + 1]));
}

// The most points that the rest of the typed text can get in the rest of the name. A letter is
// worth more if it follows the one before or begins a word; words that are left out cost.
int abbreviation_points(std::string_view typed, std::string_view name) {
    // best[0][at]: the character of the name before `at` is not part of the match; best[1]: it is.
    std::vector<int> best[2], next[2];
    for (auto& row : next) row.assign(name.size() + 1, 0);
    for (std::size_t i = typed.size(); i-- > 0;) {
        for (auto& row : best) row.assign(name.size() + 1, impossible);
        for (std::size_t at = name.size(); at-- > 0;) {
            const bool word = begins_word(name, at);
            for (const int follows : {0, 1}) {
                int& points = best[follows][at];
                points = best[0][at + 1] - (word && name[at] != '_' ? 1 : 0);
                if (!same_letter(typed[i], name[at]) || !(word || follows)) continue;
                const int letter =
                    (follows ? 3 : 0) + (word ? 2 : 0) + (typed[i] == name[at] ? 1 : 0);
                points = std::max(points, letter + next[1][at + 1]);
            }
        }
        for (const int follows : {0, 1}) std::swap(best[follows], next[follows]);
    }
    return next[0][0];
}

}  // namespace

std::optional<Score> match_score(std::string_view typed, std::string_view name) {
    if (name.substr(0, typed.size()) == typed) return Score{Fit::prefix, 0};
    if (typed.size() <= name.size() &&
        std::equal(typed.begin(), typed.end(), name.begin(), same_letter))
        return Score{Fit::prefix_other_case, 0};
    const int points = abbreviation_points(typed, name);
    if (points < impossible / 2) return {};
    return Score{Fit::abbreviation, points};
}

}  // namespace xcpp_session
