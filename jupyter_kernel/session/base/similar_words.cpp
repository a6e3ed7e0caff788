#include "similar_words.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace xcpp_session {
namespace {

// Letters to insert, delete, replace or swap with a neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), older;
    std::iota(before.begin(), before.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min(
                {before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], older[j - 2] + 1);
        }
        older = before;
        before = row;
    }
    return before[b.size()];
}

}  // namespace

std::vector<std::string> similar_words(std::string_view word,
                                       const std::vector<std::string>& words) {
    const auto lower = [](std::string_view text) {
        std::string result(text);
        std::transform(result.begin(), result.end(), result.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return result;
    };
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& known : words) {
        const std::size_t letters = distance(lower(word), lower(known));
        if (letters <= std::max<std::size_t>(1, word.size() / 3)) near.emplace_back(letters, known);
    }
    std::sort(near.begin(), near.end());
    std::vector<std::string> result;
    for (std::size_t i = 0; i < std::min<std::size_t>(near.size(), 3); ++i)
        result.push_back(near[i].second);
    return result;
}

}  // namespace xcpp_session
