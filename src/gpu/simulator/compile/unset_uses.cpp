#include "unset_uses.hpp"

#include <cctype>
#include <map>
#include <regex>
#include <sstream>
#include <vector>

namespace lanes::gpu::simulator {

namespace {

struct Use {
    std::size_t line, column;  // from 1
    bool operator<(const Use& other) const {
        return std::pair(line, column) < std::pair(other.line, other.column);
    }
};

// The variables of clang's warnings, by place. A warning about a branch names the place in a note
// after it.
std::map<Use, std::string> uses_in(const std::string& log, const std::string& name) {
    static const std::regex here(
        "^(.*?):(\\d+):(\\d+): warning: variable '(\\w+)' (?:is|may be) uninitialized when used "
        "here.*"),
        sometimes("^.*: warning: variable '(\\w+)' is used uninitialized whenever.*"),
        note("^(.*?):(\\d+):(\\d+): note: uninitialized use occurs here.*");
    std::map<Use, std::string> uses;
    std::string variable;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (std::regex_match(line, found, here)) {
            if (found[1] == name) uses[{std::stoul(found[2]), std::stoul(found[3])}] = found[4];
        } else if (std::regex_match(line, found, sometimes)) {
            variable = found[1];
        } else if (std::regex_match(line, found, note) && found[1] == name && !variable.empty()) {
            uses[{std::stoul(found[2]), std::stoul(found[3])}] = variable;
        }
    }
    return uses;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

std::string with_watched_uses(const std::string& text, const std::string& name,
                              const std::string& log) {
    const std::map<Use, std::string> uses = uses_in(log, name);
    if (uses.empty()) return text;
    std::vector<std::size_t> first_of_line{0};
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\n') first_of_line.push_back(i + 1);
    std::string watched = text;
    for (auto use = uses.rbegin(); use != uses.rend();
         // From the end, so that the positions before stay valid.
         ++use) {
        const auto& [place, variable] = *use;
        if (place.line > first_of_line.size()) continue;
        const std::size_t at = first_of_line[place.line - 1] + place.column - 1,
                          end = at + variable.size();
        // Text that comes from a macro is somewhere else.
        if (text.compare(at < text.size() ? at : text.size(), variable.size(), variable) != 0 ||
            (end < text.size() && is_word(text[end])))
            continue;
        watched.replace(at, variable.size(), "LANES_USE(" + variable + ")");
    }
    return watched;
}

}  // namespace lanes::gpu::simulator
