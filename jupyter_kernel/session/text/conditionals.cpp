#include "conditionals.hpp"

#include "directives.hpp"
#include "tokens.hpp"

#include <algorithm>

namespace xcpp_session {
namespace {

bool continues(std::string_view name) {
    return name == "elif" || name == "else" || name == "elifdef" || name == "elifndef";
}

void blank(std::string& text, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
        if (text[i] != '\n') text[i] = ' ';
}

}  // namespace

std::string without_other_branches(
    const std::string& code, const LineOrigins& lines,
    const std::function<std::vector<int>(const std::string&)>& taken) {
    if (code.find('#') == std::string::npos) return code;
    const std::vector<Token> tokens = tokenize(code);
    std::vector<Token> directives;
    for (const Token& token : tokens)
        if (token.kind == TokenKind::directive) directives.push_back(token);
    if (std::none_of(directives.begin(), directives.end(), [](const Token& token) {
            return opens_condition(directive_of(token.text).name);
        }))
        return code;

    std::string probe;
    for (std::size_t i = 0; i < directives.size(); ++i) {
        const std::string_view name = directive_of(directives[i].text).name;
        const bool conditional = opens_condition(name) || continues(name);
        if (!conditional && name != "endif" && name != "define" && name != "undef" &&
            name != "include")
            continue;
        const auto origin = lines.of(directives[i].line);
        probe += "#line " + std::to_string(origin.line) + " \"" + origin.file + "\"\n";
        probe += std::string(directives[i].text) + "\n";
        if (conditional) probe += "#pragma xcpp branch " + std::to_string(i) + "\n";
    }
    const std::vector<int> reached = taken(probe);

    std::string text = code;
    std::vector<bool> active = {true};
    std::size_t at = 0;
    for (std::size_t i = 0; i < directives.size(); ++i) {
        const std::string_view name = directive_of(directives[i].text).name;
        if (!active.back()) blank(text, at, directives[i].begin);
        at = directives[i].begin;
        const bool conditional = opens_condition(name) || continues(name);
        if (!conditional && name != "endif") {
            continue;
        }
        blank(text, directives[i].begin, directives[i].end());
        at = directives[i].end();
        const bool holds =
            std::find(reached.begin(), reached.end(), static_cast<int>(i)) != reached.end();
        if (opens_condition(name))
            active.push_back(holds);
        else if (continues(name))
            active.back() = holds;
        else if (active.size() > 1)
            active.pop_back();
    }
    if (!active.back()) blank(text, at, text.size());
    return text;
}

}  // namespace xcpp_session
