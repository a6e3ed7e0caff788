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
    Entries found;
    if (access == "range")
        found =
            range(request.value("session", 0), request.value("start", 1), request.value("stop", 0));
    else if (access == "search")
        found = search(request.value("pattern", "*"), request.value("unique", false), most);
    else
        found = search("*", false, most);
    json history = json::array();
    for (const auto& [session, number, cell] : found) {
        // Outputs are not kept: a client that asks for them gets null in their place.
        history.push_back({session, number, output ? json::array({cell, nullptr}) : json(cell)});
    }
    return {{"status", "ok"}, {"history", history}};
}

History::Entries History::all() const {
    Entries entries = file_.read_others();
    for (const std::string& cell : cells_)
        entries.push_back({0, static_cast<int>(&cell - cells_.data()) + 1, cell});
    return entries;
}

// session 0: this one; -1: the one before it. A stop of 0 or less, as clients send it, means up to
// the end.
History::Entries History::range(int session, int start, int stop) const {
    Entries found = all();
    if (session < 0) {
        std::set<int> others;
        for (const HistoryEntry& entry : found)
            if (entry.session != 0) others.insert(entry.session);
        if (others.size() < static_cast<std::size_t>(-session)) return {};
        session = *std::next(others.rbegin(), -session - 1);
    }
    const auto is_outside = [&](const HistoryEntry& entry) {
        return entry.session != session || entry.number < start ||
               (stop > 0 && entry.number >= stop);
    };
    found.erase(std::remove_if(found.begin(), found.end(), is_outside), found.end());
    return found;
}

History::Entries History::search(const std::string& pattern, bool unique, int most) const {
    const Entries entries = all();
    Entries found;
    std::set<std::string> seen;
    for (auto entry = entries.rbegin();
         entry != entries.rend() && static_cast<int>(found.size()) < most; ++entry) {
        if (::fnmatch(pattern.c_str(), entry->cell.c_str(), 0) != 0) continue;
        if (!unique || seen.insert(entry->cell).second) found.push_back(*entry);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

}  // namespace xcpp_front
