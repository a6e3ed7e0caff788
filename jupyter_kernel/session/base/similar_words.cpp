#include "similar_words.hpp"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <utility>

namespace xcpp_session {
namespace {

// Letters to insert, delete or replace; a swap of letters counts as one.
std::size_t distance(llvm::StringRef a, llvm::StringRef b) {
    const bool swapped = a != b && std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
    return swapped ? 1 : a.edit_distance(b);
}

}  // namespace

std::vector<std::string> similar_words(std::string_view word,
                                       const std::vector<std::string>& words) {
    const std::string lower = llvm::StringRef(word).lower();
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& known : words) {
        const std::size_t letters = distance(lower, llvm::StringRef(known).lower());
        if (letters <= std::max<std::size_t>(1, word.size() / 3)) near.emplace_back(letters, known);
    }
    std::sort(near.begin(), near.end());
    std::vector<std::string> result;
    for (std::size_t i = 0; i < std::min<std::size_t>(near.size(), 3); ++i)
        result.push_back(near[i].second);
    return result;
}

}  // namespace xcpp_session
