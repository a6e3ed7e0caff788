#include "guards.hpp"

#include "directives.hpp"

#include <set>

namespace xcpp_session {
namespace {

// NAME of #ifndef NAME, #if !defined NAME, #if !defined(NAME); else empty.
std::string_view asked_for(const Token& token) {
    if (token.kind != TokenKind::directive) return {};
    const auto [name, rest] = directive_of(token.text);
    const std::vector<Token> words = tokenize(rest);
    if (name == "ifndef" && words.size() == 1) return words[0].text;
    if (name != "if" || words.size() < 3 || !words[0].is("!") || !words[1].is("defined")) return {};
    if (words.size() == 3) return words[2].text;
    return words.size() == 5 && words[2].is("(") && words[4].is(")") ? words[3].text
                                                                     : std::string_view();
}

// The words behind #define, if it defines this macro.
std::vector<Token> definition(const Token& token, std::string_view macro) {
    if (token.kind != TokenKind::directive) return {};
    const auto [name, rest] = directive_of(token.text);
    std::vector<Token> words = tokenize(rest);
    if (name != "define" || words.empty() || !words[0].is(macro)) words.clear();
    return words;
}

// The #endif of the condition at `at`, or 0 where there are other branches or none.
std::size_t end_of_condition(const std::vector<Token>& tokens, std::size_t at) {
    int depth = 0;
    for (std::size_t i = at; i < tokens.size(); ++i) {
        if (tokens[i].kind != TokenKind::directive) continue;
        const std::string_view word = directive_of(tokens[i].text).name;
        if (opens_condition(word)) ++depth;
        if (depth == 1 && word.substr(0, 2) == "el") return 0;
        if (word == "endif" && --depth == 0) return i;
    }
    return 0;
}

}  // namespace

bool is_pragma_once(std::string_view directive) {
    const auto [name, rest] = directive_of(directive);
    const std::vector<Token> words = tokenize(rest);
    return name == "pragma" && words.size() == 1 && words[0].is("once");
}

std::vector<Guard> guards_in(const std::vector<Token>& tokens) {
    std::vector<Guard> guards;
    int depth = 0;
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
        if (tokens[i].kind != TokenKind::directive) continue;
        const std::string_view word = directive_of(tokens[i].text).name;
        if (word == "endif") --depth;
        if (!opens_condition(word)) continue;
        const std::string_view macro = asked_for(tokens[i]);
        const std::size_t words =
            depth == 0 && !macro.empty() ? definition(tokens[i + 1], macro).size() : 0;
        const std::size_t last = words > 0 ? end_of_condition(tokens, i) : 0;
        if (last > i + 2) {
            guards.push_back({std::string(macro), i, last, words > 1});
            i = last;
        } else {
            ++depth;
        }
    }
    return guards;
}

std::string without_guards(const std::string& code,
                           const std::function<bool(std::string_view)>& is_macro) {
    if (code.find('#') == std::string::npos) return code;
    const std::vector<Token> tokens = tokenize(code);
    std::string text = code;
    std::set<std::string> seen;
    for (const Guard& guard : guards_in(tokens)) {
        if (!seen.insert(guard.name).second || guard.has_value || !is_macro(guard.name)) continue;
        for (const std::size_t line : {guard.first, guard.last})
            for (std::size_t i = tokens[line].begin; i < tokens[line].end(); ++i)
                if (text[i] != '\n') text[i] = ' ';
    }
    return text;
}

}  // namespace xcpp_session
