#include "hints_failed.hpp"

#include <map>

namespace xcpp_session {
namespace {

std::map<std::string, int>& cells() {
    static std::map<std::string, int> by_name;
    return by_name;
}

}  // namespace

void note_failed_cell(const std::vector<std::string>& names, int cell) {
    for (const std::string& name : names) cells()[name] = cell;
}

void forget_failed(const std::vector<std::string>& names) {
    for (const std::string& name : names) cells().erase(name);
}

int failed_cell_of(const std::string& name) {
    const auto found = cells().find(name);
    return found == cells().end() ? 0 : found->second;
}

}  // namespace xcpp_session
