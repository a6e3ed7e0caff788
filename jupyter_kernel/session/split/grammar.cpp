#include "grammar.hpp"

namespace xcpp_session {
namespace {

// The token after the type that begins at `at`, before `*` and the like.
std::size_t type_end(const Tokens& tokens, std::size_t at, const CellNames& names) {
    const auto qualifiers = [&] {
        while (tokens[at].is_one_of(
            {"const", "volatile", "typename", "struct", "class", "union", "enum"}))
            ++at;
    };
    qualifiers();
    if (builtin_type(tokens[at])) {
        while (builtin_type(tokens[at]) || tokens[at].is_one_of({"const", "volatile"})) ++at;
    } else if (tokens[at].is("auto")) {
        ++at;
    } else if (tokens[at].is("decltype")) {
        at = tokens.after(at + 1);
    } else {
        at = read_name(tokens, at, names).next;
    }
    qualifiers();
    return at;
}

}  // namespace

bool starts_statement(const Token& token) {
    return token.is_one_of({"if", "else", "for", "while", "do", "switch", "return", "goto", "break",
                            "continue", "try", "catch", "case", "default", "{", "throw", "delete"});
}

bool starts_declaration(const Token& token) {
    return token.is_one_of({"template",      "struct",    "class",   "union",    "enum",
                            "namespace",     "using",     "typedef", "extern",   "static",
                            "inline",        "constexpr", "const",   "volatile", "thread_local",
                            "static_assert", "alignas",   "auto",    "typename", "__attribute__",
                            "__extension__", "register",  "friend",  "explicit", "virtual",
                            "asm",           "__thread",  "mutable"});
}

bool builtin_type(const Token& token) {
    return token.is_one_of({"void", "bool", "char", "short", "int", "long", "float", "double",
                            "signed", "unsigned", "wchar_t", "char16_t", "char32_t", "__int128",
                            "_Float16", "__bf16"});
}

bool is_keyword_of_expression(const Token& token) {
    return token.is_one_of({"sizeof",      "alignof",      "noexcept",   "typeid",
                            "static_cast", "dynamic_cast", "const_cast", "reinterpret_cast",
                            "this",        "nullptr",      "true",       "false",
                            "new",         "co_await",     "co_yield",   "co_return",
                            "operator",    "requires",     "not",        "compl"});
}

QualifiedName read_name(const Tokens& tokens, std::size_t at, const CellNames& names) {
    QualifiedName name;
    if (tokens[at].is("::")) ++at;
    for (; tokens[at].is_word(); ++at) {
        if (tokens[at].is("template")) continue;
        if (tokens[at].is("operator")) {
            name.operator_name = true;
            break;
        }
        name.path.push_back(tokens[at++].text);
        // f<int>(x) and T<int> alike; a < b > c with unknown names is read as arguments too, as
        // C++ would with a template
        const std::size_t close =
            tokens[at].is("<") && names.kind_of(name.path) != NameKind::variable
                ? tokens.closing_angle(at)
                : at;
        name.ends_in_arguments = close != at;
        if (name.ends_in_arguments) at = close + 1;
        name.destructor = tokens[at].is("::") && tokens[at + 1].is("~");
        if (name.destructor) ++at;
        if (name.destructor || !tokens[at].is("::") || !tokens[at + 1].is_word()) break;
    }
    name.next = at;
    return name;
}

std::vector<std::string_view> path_to(const Tokens& tokens, std::size_t word) {
    const bool destructor = tokens[word - 1].is("~");
    // the destructor's name is not one of the text's words
    std::vector<std::string_view> path = {destructor ? "~" : tokens[word].text};
    std::size_t i = destructor ? word - 1 : word;
    while (i >= 2 && tokens[i - 1].is("::")) {
        std::size_t before = i - 2;
        if (tokens[before].is(">"))
            while (before > 0 && !tokens[before].is("<")) --before;
        if (tokens[before].is("<") && before > 0) --before;
        if (!tokens[before].is_word()) break;
        path.insert(path.begin(), tokens[before].text);
        i = before;
    }
    return path;
}

bool looks_like_arguments(const Tokens& tokens, std::size_t name_at, const CellNames& names) {
    if (name_at == 0 || !tokens[name_at + 1].is("(") || tokens[name_at + 2].is(")")) return false;
    const Token& start = tokens[name_at + 2];
    if (start.kind == TokenKind::literal || is_keyword_of_expression(start) ||
        start.is_one_of({"{", "-", "+", "!", "~", "&", "*", "(", "["}))
        return true;
    if (builtin_type(start) || starts_declaration(start)) return false;
    const QualifiedName name = read_name(tokens, name_at + 2, names);
    if (name.path.empty()) return false;
    const NameKind kind = names.kind_of(name.path);
    return kind == NameKind::variable || kind == NameKind::function;
}

std::size_t name_in_parentheses(const Tokens& tokens, std::size_t first, std::size_t open,
                                const CellNames& names) {
    if (open <= first || (!tokens[open - 1].is_one_of({"*", "&", "&&", ","}) &&
                          type_end(tokens, first, names) != open))
        return 0;
    const std::size_t close = tokens.closing(open);
    std::size_t i = open + 1;
    const QualifiedName of_class = read_name(tokens, i, names);  // (Gear::*p)
    if (of_class.next + 1 < close && tokens[of_class.next].is("::")) i = of_class.next + 1;
    bool points = false;
    for (; tokens[i].is_one_of({"*", "&", "&&", "const", "volatile", "("}); ++i)
        points = points || tokens[i].is_one_of({"*", "&", "&&"});
    if (i >= close || !tokens[i].is_word()) return 0;
    const bool initialised =  // int (x) = 5;
        i == open + 1 && close == open + 2 && tokens[close + 1].is("=");
    return points || initialised ? i : 0;
}

}  // namespace xcpp_session
