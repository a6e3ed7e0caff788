#include "history.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <limits>
#include <set>

namespace xcpp_front {
namespace {

using nlohmann::json;

// The last `count` entries. Outputs are not kept: a client that asks for them gets null in their
// place.
template <typename Entries>
json reply(const Entries& entries, bool output, int count = std::numeric_limits<int>::max()) {
    const auto kept = std::min(entries.size(), static_cast<std::size_t>(std::max(count, 0)));
    json history = json::array();
    for (auto entry = entries.end() - static_cast<std::ptrdiff_t>(kept); entry != entries.end();
         ++entry)
        history.push_back({entry->session, entry->line,
                           output ? json::array({entry->input, nullptr}) : json(entry->input)});
    return {{"status", "ok"}, {"history", history}};
}

}  // namespace

void History::store_inputs_impl(int session, int line, const std::string& input,
                                const std::string&) {
    entries_.push_back({session, line_ != 0 ? line_ : line, input});
}

json History::get_tail_impl(int count, bool, bool output) const {
    return reply(entries_, output, count);
}

// A stop of 0 or less, as clients send it, means up to the end.
json History::get_range_impl(int, int start, int stop, bool, bool output) const {
    std::vector<Entry> found;
    for (const auto& entry : entries_)
        if (entry.line >= start && (stop <= 0 || entry.line < stop)) found.push_back(entry);
    return reply(found, output);
}

json History::search_impl(const std::string& pattern, bool, bool output, int count,
                          bool unique) const {
    std::vector<Entry> found;
    std::set<std::string> seen;
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
        if (::fnmatch(pattern.c_str(), entry->input.c_str(), 0) != 0) continue;
        if (!unique || seen.insert(entry->input).second) found.push_back(*entry);
    }
    std::reverse(found.begin(), found.end());
    return reply(found, output, count);
}

}  // namespace xcpp_front
