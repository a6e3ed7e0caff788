#include "directives.hpp"

namespace xcpp_session {

Directive directive_of(std::string_view text) {
    const std::size_t begin = text.find_first_not_of("# \t");
    if (begin == std::string_view::npos) return {};
    std::size_t end = begin;
    while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
    const std::size_t rest = text.find_first_not_of(" \t", end);
    return {text.substr(begin, end - begin),
            rest == std::string_view::npos ? std::string_view() : text.substr(rest)};
}

bool opens_condition(std::string_view name) {
    return name == "if" || name == "ifdef" || name == "ifndef";
}

std::size_t quoted_end(std::string_view code, std::size_t at) {
    const char quote = code[at];
    for (std::size_t i = at + 1; i < code.size() && code[i] != '\n'; ++i) {
        if (code[i] == quote) return i + 1;
        if (code[i] == '\\') ++i;
    }
    return at + 1;
}

std::optional<Include> include_of(std::string_view text) {
    const auto [name, rest] = directive_of(text);
    if (name != "include" || rest.empty() || (rest[0] != '"' && rest[0] != '<')) return {};
    const std::size_t close = rest.find(rest[0] == '"' ? '"' : '>', 1);
    if (close == std::string_view::npos) return {};
    return Include{std::string(rest.substr(1, close - 1)), rest[0] == '"',
                   static_cast<std::size_t>(rest.data() - text.data()) + 1};
}

}  // namespace xcpp_session
