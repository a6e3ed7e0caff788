#include "missing_names.hpp"

#include "session/base/cell_names.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace xcpp_session {
namespace {

struct Missing {
    int cell = 0;
    std::string reason;
};

std::map<std::string, Missing, std::less<>>& missing() {
    static std::map<std::string, Missing, std::less<>> names;
    return names;
}

}  // namespace

void note_missing_name(std::string_view name, int cell, std::string_view reason) {
    // "…: 1 error.\nprogram.cu:6: error: …": the second line says which.
    std::string words(reason.substr(0, reason.find('\n', reason.find('\n') + 1)));
    std::replace(words.begin(), words.end(), '\n', ' ');
    missing()[std::string(name)] = {cell, std::move(words)};
}

std::string reason_of_missing_name(std::string_view name) {
    const auto found = missing().find(name);
    return found == missing().end() ? std::string() : found->second.reason;
}

std::string missing_name_hint(std::string_view name) {
    const auto found = missing().find(name);
    if (found == missing().end()) return {};
    const auto& [cell, reason] = found->second;
    return cell_file_name(cell) + " would define " + std::string(name) +
           ", but it failed: " + reason;
}

}  // namespace xcpp_session
