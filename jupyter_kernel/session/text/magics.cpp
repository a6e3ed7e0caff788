#include "magics.hpp"

#include "tokens.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace xcpp_session {
namespace {

// Rows are added while the program and its libraries are loaded: before main, too. Their addresses
// stay.
std::deque<MagicKind>& table() {
    static std::deque<MagicKind> kinds;
    return kinds;
}

MagicKind* find(std::string_view name) {
    std::deque<MagicKind>& kinds = table();
    const auto found = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const MagicKind& kind) { return kind.name == name; });
    return found == kinds.end() ? nullptr : &*found;
}

MagicCode code_of_library(const Magic& magic) {
    const MagicKind& kind = *magic.kind;
    int failed = 0;
    const char* code =
        kind.translate(magic.argument.c_str(), magic.body.c_str(), &failed, kind.user);
    if (failed != 0 || !code)
        throw std::runtime_error(magic.name + ": " + (code ? code : "the library gave no code"));
    return {code, magic.body_line - 1};
}

}  // namespace

void add_magic(MagicKind kind) {
    if (MagicKind* const same = find(kind.name))
        *same = std::move(kind);
    else
        table().push_back(std::move(kind));
}

bool add_library_magic(std::string name, std::string usage, std::string meaning,
                       xcpp_magic_translator translate, void* user,
                       std::optional<std::string> declarations) {
    const bool is_word = name.size() > 2 && name[0] == '%' && name[1] == '%' &&
                         is_word_character(name[2]) && magic_name_of(name) == name;
    const MagicKind* const same = find(name);
    if (!translate || !is_word || (same && !same->translate)) return false;
    MagicKind kind{std::move(name), std::move(usage), std::move(meaning), nullptr, code_of_library};
    kind.cpp_part = CppPart::body;
    kind.translate = translate;
    kind.user = user;
    kind.declarations = std::move(declarations);
    add_magic(std::move(kind));
    return true;
}

const MagicKind* find_magic(std::string_view name) { return find(name); }

const std::deque<MagicKind>& magics() { return table(); }

std::vector<std::string> magic_names() {
    std::vector<std::string> names;
    for (const MagicKind& kind : table())
        if (kind.name[0] == '%') names.push_back(kind.name);
    return names;
}

std::string magics_help() {
    constexpr std::size_t width = 34;
    std::string text;
    for (const MagicKind& kind : table()) {
        const std::size_t used = kind.usage.size();
        text +=
            kind.usage + std::string(used < width ? width - used : 1, ' ') + kind.meaning + "\n";
    }
    return text;
}

std::string_view magic_name_of(std::string_view line) {
    std::size_t end = 0;
    while (end < line.size() && line[end] == '%') ++end;
    while (end < line.size() && is_word_character(line[end])) ++end;
    return line.substr(0, end);
}

}  // namespace xcpp_session
