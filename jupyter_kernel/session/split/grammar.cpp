#include "grammar.hpp"

#include "session/base/one_of.hpp"

#include <algorithm>

namespace xcpp_session {

bool one_of(const Token& token, std::initializer_list<std::string_view> words) {
    return token.kind != TokenKind::literal && one_of(token.text, words);
}

bool starts_statement(const Token& token) {
    return one_of(token, {"if", "else", "for", "while", "do", "switch", "return", "goto", "break",
                          "continue", "try", "catch", "case", "default", "{", "throw", "delete"});
}

bool starts_declaration(const Token& token) {
    return one_of(token, {"template",      "struct",    "class",   "union",    "enum",
                          "namespace",     "using",     "typedef", "extern",   "static",
                          "inline",        "constexpr", "const",   "volatile", "thread_local",
                          "static_assert", "alignas",   "auto",    "typename", "__attribute__",
                          "__extension__", "register",  "friend",  "explicit", "virtual",
                          "asm",           "__thread",  "mutable"});
}

bool builtin_type(const Token& token) {
    return one_of(
        token, {"void", "bool", "char", "short", "int", "long", "float", "double", "signed",
                "unsigned", "wchar_t", "char16_t", "char32_t", "__int128", "_Float16", "__bf16"});
}

bool is_keyword_of_expression(const Token& token) {
    return one_of(token, {"sizeof",      "alignof",      "noexcept",   "typeid",
                          "static_cast", "dynamic_cast", "const_cast", "reinterpret_cast",
                          "this",        "nullptr",      "true",       "false",
                          "new",         "co_await",     "co_yield",   "co_return",
                          "operator",    "requires",     "not",        "compl"});
}

QualifiedName read_name(const std::vector<Token>& tokens, std::size_t at, const CellNames& names) {
    QualifiedName name;
    if (at < tokens.size() && tokens[at].is("::")) ++at;
    while (at < tokens.size() && tokens[at].kind == TokenKind::word) {
        if (tokens[at].is("template")) {
            ++at;
            continue;
        }
        if (tokens[at].is("operator")) {
            name.operator_name = true;
            break;
        }
        name.path.push_back(tokens[at].text);
        name.last_word = at++;
        name.ends_in_arguments = false;
        if (at < tokens.size() && tokens[at].is("<")) {
            const NameKind kind = names.kind_of(name.path);
            const std::size_t close = kind == NameKind::variable ? at : closing_angle(tokens, at);
            if (close != at) {
                // f<int>(x) and T<int> alike; a < b > c with unknown names is read as arguments
                // too, as C++ would with a template
                at = close + 1;
                name.ends_in_arguments = true;
            }
        }
        if (at + 1 >= tokens.size() || !tokens[at].is("::")) break;
        if (tokens[at + 1].is("~")) {
            name.destructor = true;
            ++at;
            break;
        }
        if (tokens[at + 1].kind != TokenKind::word) break;
        ++at;
    }
    name.next = at;
    return name;
}

}  // namespace xcpp_session
