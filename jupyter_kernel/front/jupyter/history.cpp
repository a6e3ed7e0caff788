#include "history.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <set>

namespace xcpp_front {

using nlohmann::json;

json History::answer(const json& request) const {
    const std::string access = request.value("hist_access_type", "tail");
    const bool output = request.value("output", false);
    const int most = request.value("n", 10);
    std::vector<int> found;
    if (access == "range")
        found = range(request.value("start", 1), request.value("stop", 0));
    else if (access == "search")
        found = search(request.value("pattern", "*"), request.value("unique", false), most);
    else
        found = search("*", false, most);
    json history = json::array();
    for (const int number : found) {
        const json cell = cells_[static_cast<std::size_t>(number) - 1];
        // Outputs are not kept: a client that asks for them gets null in their place.
        history.push_back({0, number, output ? json::array({cell, nullptr}) : cell});
    }
    return {{"status", "ok"}, {"history", history}};
}

// A stop of 0 or less, as clients send it, means up to the end.
std::vector<int> History::range(int start, int stop) const {
    std::vector<int> found;
    const int end = stop <= 0 ? size() + 1 : std::min(stop, size() + 1);
    for (int number = std::max(start, 1); number < end; ++number) found.push_back(number);
    return found;
}

std::vector<int> History::search(const std::string& pattern, bool unique, int most) const {
    std::vector<int> found;
    std::set<std::string> seen;
    for (int number = size(); number > 0 && static_cast<int>(found.size()) < most; --number) {
        const std::string& cell = cells_[static_cast<std::size_t>(number) - 1];
        if (::fnmatch(pattern.c_str(), cell.c_str(), 0) != 0) continue;
        if (!unique || seen.insert(cell).second) found.push_back(number);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

}  // namespace xcpp_front
