#include "directives.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace xcpp_session {
namespace {

// NAME of #ifndef NAME, #if !defined NAME, #if !defined(NAME); else empty.
std::string_view asked_for(const Token& token) {
    const auto [name, rest] = directive_of(token);
    const Tokens words = tokenize(rest);
    if (name == "ifndef" && words.size() == 1) return words[0].text;
    if (name != "if" || !words[0].is("!") || !words[1].is("defined")) return {};
    if (words.size() == 3) return words[2].text;
    const bool in_parentheses = words.size() == 5 && words[2].is("(") && words[4].is(")");
    return in_parentheses ? words[3].text : std::string_view();
}

}  // namespace

Directive directive_of(const Token& token) {
    const std::string_view text = token.text;
    const std::size_t begin = text.find_first_not_of("# \t");
    if (token.kind != TokenKind::directive || begin == std::string_view::npos) return {};
    std::size_t end = begin;
    while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
    const std::size_t rest = std::min(text.find_first_not_of(" \t", end), text.size());
    return {text.substr(begin, end - begin), text.substr(rest)};
}

std::optional<Include> include_of(const Token& token) {
    const auto [name, rest] = directive_of(token);
    if (name != "include" || rest.empty() || (rest[0] != '"' && rest[0] != '<')) return {};
    const std::size_t close = rest.find(rest[0] == '"' ? '"' : '>', 1);
    if (close == std::string_view::npos) return {};
    return Include{std::string(rest.substr(1, close - 1)), rest[0] == '"',
                   static_cast<std::size_t>(rest.data() - token.text.data()) + 1};
}

bool is_pragma_once(const Token& token) {
    const auto [name, rest] = directive_of(token);
    if (name != "pragma") return false;
    const Tokens words = tokenize(rest);
    return words.size() == 1 && words[0].is("once");
}

Branch branch_of(const Token& token) {
    const std::string_view name = directive_of(token).name;
    if (name == "if" || name == "ifdef" || name == "ifndef") return Branch::opens;
    if (name == "elif" || name == "else" || name == "elifdef" || name == "elifndef")
        return Branch::continues;
    return name == "endif" ? Branch::ends : Branch::none;
}

std::size_t next_branch(const Tokens& tokens, std::size_t at) {
    int depth = 0;
    for (std::size_t i = at + 1; i < tokens.size(); ++i) {
        const Branch branch = branch_of(tokens[i]);
        if (depth == 0 && (branch == Branch::continues || branch == Branch::ends)) return i;
        if (branch == Branch::opens) ++depth;
        if (branch == Branch::ends) --depth;
    }
    return tokens.size();
}

void blank_other_branches(SourceText& source, const LineOrigins& lines,
                          const std::function<std::vector<int>(const std::string&)>& taken) {
    std::vector<Token> directives;
    std::copy_if(source.tokens().begin(), source.tokens().end(), std::back_inserter(directives),
                 [](const Token& token) { return token.kind == TokenKind::directive; });
    std::string probe;
    bool has_branches = false;
    for (std::size_t i = 0; i < directives.size(); ++i) {
        const std::string_view name = directive_of(directives[i]).name;
        const Branch branch = branch_of(directives[i]);
        if (branch == Branch::none && name != "define" && name != "undef" && name != "include")
            continue;
        const auto origin = lines.of(directives[i].line);
        probe += "#line " + std::to_string(origin.line) + " \"" + origin.file + "\"\n";
        probe += std::string(directives[i].text) + "\n";
        if (branch == Branch::opens || branch == Branch::continues)
            probe += "#pragma xcpp branch " + std::to_string(i) + "\n";
        has_branches = has_branches || branch == Branch::opens;
    }
    if (!has_branches) return;
    const std::vector<int> reached = taken(probe);

    std::vector<bool> active = {true};
    std::size_t at = 0;
    for (std::size_t i = 0; i < directives.size(); ++i) {
        const Branch branch = branch_of(directives[i]);
        if (!active.back()) source.blank(at, directives[i].begin);
        at = directives[i].begin;
        if (branch == Branch::none) continue;
        at = directives[i].end();
        source.blank(directives[i].begin, at);
        const bool holds =
            std::find(reached.begin(), reached.end(), static_cast<int>(i)) != reached.end();
        if (branch == Branch::opens)
            active.push_back(holds);
        else if (branch == Branch::continues)
            active.back() = holds;
        else if (active.size() > 1)
            active.pop_back();
    }
    if (!active.back()) source.blank(at, source.code().size());
}

std::vector<Guard> guards_in(const Tokens& tokens) {
    std::vector<Guard> guards;
    int depth = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Branch branch = branch_of(tokens[i]);
        if (branch == Branch::ends) --depth;
        if (branch != Branch::opens) continue;
        const std::string_view macro = depth == 0 ? asked_for(tokens[i]) : std::string_view();
        const Directive define = directive_of(tokens[i + 1]);
        const Tokens words = tokenize(define.rest);
        const std::size_t last = next_branch(tokens, i);
        if (!macro.empty() && define.name == "define" && words[0].is(macro) && last > i + 2 &&
            branch_of(tokens[last]) == Branch::ends) {
            guards.push_back({std::string(macro), i, last, words.size() > 1});
            i = last;
        } else {
            ++depth;
        }
    }
    return guards;
}

void blank_guards(SourceText& source, const std::function<bool(std::string_view)>& is_macro) {
    std::vector<Token> lines;
    std::set<std::string> seen;
    for (const Guard& guard : guards_in(source.tokens()))
        if (seen.insert(guard.name).second && !guard.has_value && is_macro(guard.name))
            lines.insert(lines.end(), {source.tokens()[guard.first], source.tokens()[guard.last]});
    for (const Token& line : lines) source.blank(line.begin, line.end());
}

}  // namespace xcpp_session
