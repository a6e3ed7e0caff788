#include "declarators.hpp"

#include "grammar.hpp"

#include <string>

namespace xcpp_session {
namespace {

// The token behind the type that begins at `at`, before `*` and the like.
std::size_t type_end(const std::vector<Token>& tokens, std::size_t at, const CellNames& names) {
    const auto qualifiers = [&] {
        while (at < tokens.size() && one_of(tokens[at], {"const", "volatile", "typename", "struct",
                                                         "class", "union", "enum"}))
            ++at;
    };
    qualifiers();
    if (at >= tokens.size()) return at;
    if (builtin_type(tokens[at])) {
        while (at < tokens.size() &&
               (builtin_type(tokens[at]) || one_of(tokens[at], {"const", "volatile"})))
            ++at;
    } else if (tokens[at].is("auto")) {
        ++at;
    } else if (tokens[at].is("decltype") && at + 1 < tokens.size()) {
        at = closing(tokens, at + 1) + 1;
    } else {
        at = read_name(tokens, at, names).next;
    }
    qualifiers();
    return at;
}

}  // namespace

std::size_t name_in_parentheses(const std::vector<Token>& tokens, std::size_t first,
                                std::size_t open, const CellNames& names) {
    if (open <= first || (!one_of(tokens[open - 1], {"*", "&", "&&", ","}) &&
                          type_end(tokens, first, names) != open))
        return 0;
    const std::size_t close = closing(tokens, open);
    std::size_t i = open + 1;
    const QualifiedName of_class = read_name(tokens, i, names);  // (Gear::*p)
    if (of_class.next + 1 < close && tokens[of_class.next].is("::")) i = of_class.next + 1;
    bool points = false;
    for (; i < close; ++i) {
        if (one_of(tokens[i], {"*", "&", "&&"}))
            points = true;
        else if (!one_of(tokens[i], {"const", "volatile", "("}))
            break;
    }
    if (i >= close || tokens[i].kind != TokenKind::word) return 0;
    const bool initialised =  // int (x) = 5;
        i == open + 1 && close == open + 2 && close + 1 < tokens.size() &&
        tokens[close + 1].is("=");
    return points || initialised ? i : 0;
}

std::vector<std::string_view> path_to(const std::vector<Token>& tokens, std::size_t word) {
    std::vector<std::string_view> path = {tokens[word].text};
    std::size_t i = word;
    if (i > 0 && tokens[i - 1].is("~")) {
        --i;
        path.front() = {};  // filled below: the destructor's name is not one of the text's words
    }
    while (i >= 2 && tokens[i - 1].is("::")) {
        std::size_t before = i - 2;
        if (tokens[before].is(">"))
            while (before > 0 && !tokens[before].is("<")) --before;
        if (tokens[before].is("<") && before > 0) --before;
        if (tokens[before].kind != TokenKind::word) break;
        path.insert(path.begin(), tokens[before].text);
        i = before;
    }
    if (path.back().empty()) path.back() = "~";
    return path;
}

bool looks_like_arguments(const std::vector<Token>& tokens, std::size_t name_at,
                          const CellNames& names) {
    if (name_at == 0 || name_at + 1 >= tokens.size() || !tokens[name_at + 1].is("(")) return false;
    const std::size_t close = closing(tokens, name_at + 1);
    if (close == name_at + 2) return false;
    const Token& start = tokens[name_at + 2];
    if (start.kind == TokenKind::literal ||
        one_of(start, {"{", "-", "+", "!", "~", "&", "*", "(", "["}))
        return true;
    if (is_keyword_of_expression(start)) return true;
    if (builtin_type(start) || starts_declaration(start)) return false;
    const QualifiedName name = read_name(tokens, name_at + 2, names);
    if (name.path.empty()) return false;
    const NameKind kind = names.kind_of(name.path);
    return kind == NameKind::variable || kind == NameKind::function;
}

bool mend_structured_binding(const std::vector<Token>& tokens, std::size_t at, Declaration& found) {
    std::size_t open = at;
    while (open < tokens.size() && one_of(tokens[open], {"auto", "const", "&", "&&"})) ++open;
    if (open == at || open >= tokens.size() || !tokens[open].is("[")) return false;
    const std::size_t close = closing(tokens, open);
    std::string references;
    for (std::size_t i = open + 1; i < close; ++i) {
        if (tokens[i].kind != TokenKind::word) continue;
        const std::string name(tokens[i].text);
        found.edits.push_back({tokens[i].end(), tokens[i].end(), "__xcpp"});
        found.declares.emplace_back(tokens[i].text, NameKind::variable);
        references.append(" auto&& ").append(name).append(" = ").append(name).append("__xcpp;");
    }
    std::size_t end = close;
    while (end < tokens.size() && !tokens[end].is(";"))
        end = one_of(tokens[end], {"(", "[", "{"}) ? closing(tokens, end) + 1 : end + 1;
    if (end < tokens.size())
        found.edits.push_back({tokens[end].end(), tokens[end].end(), references});
    else if (!tokens.empty())
        found.edits.push_back({tokens.back().end(), tokens.back().end(), ";" + references});
    return true;
}

}  // namespace xcpp_session
