#include "magic_lines.hpp"

#include "session/base/similar_words.hpp"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace xcpp_session {
namespace {

using llvm::StringRef;

Magic unknown_magic(std::string name) {
    Magic magic;
    magic.error = "there is no magic " + name;
    const std::string other = name.rfind("%%", 0) == 0 ? name.substr(1) : "%" + name;
    std::vector<std::string> nearest =
        find_magic(other) ? std::vector<std::string>{other} : similar_words(name, magic_names());
    magic.error += nearest.empty() ? "." : "; did you mean " + nearest[0] + "?";
    magic.error += " %lsmagic lists all of them.";
    magic.name = std::move(name);
    return magic;
}

// ?name, ??name and !command
Magic sign_magic(const char* sign, StringRef argument) {
    Magic magic;
    magic.kind = find_magic(sign);
    magic.name = sign;
    magic.argument = argument.trim().str();
    return magic;
}

Magic inspection(StringRef name, bool detailed) {
    Magic magic = sign_magic("?", name);
    magic.detail = detailed ? 1 : 0;
    magic.body_column = detailed ? 3 : 2;
    if (magic.argument.empty()) magic.error = "? needs a name, for example ?std::vector";
    return magic;
}

Magic read_magic(const Token& token, bool first_of_cell) {
    const StringRef text = token.text;
    if (text[0] == '?') {
        const bool detailed = text.starts_with("??");
        return inspection(text.drop_front(detailed ? 2 : 1), detailed);
    }
    if (text[0] == '!') return sign_magic("!", text.drop_front());
    const bool of_cell = text.starts_with("%%");
    const StringRef name = magic_name_of(text);
    Magic magic;
    magic.kind = find_magic(name);
    if (!magic.kind) return unknown_magic(name.str());
    magic.name = name.str();
    const auto [line, body] = of_cell ? text.split('\n') : std::pair(text, StringRef());
    const StringRef rest = line.drop_front(name.size()).trim();
    magic.body = body.str();
    magic.body_line = of_cell ? token.line + 1 : token.line;
    magic.argument_column = token.column + static_cast<unsigned>(rest.data() - line.data());
    magic.body_column = of_cell ? 1 : magic.argument_column;
    if (magic.kind->read)
        magic.kind->read(magic, rest);
    else
        magic.argument = rest.str();
    if (of_cell && !first_of_cell)
        magic.error = magic.name + " must be on the first line of its cell";
    return magic;
}

// "v.push_back?" as the only line of a cell.
bool is_trailing_question(StringRef code) {
    const StringRef name = code.rtrim('?');
    return name.size() < code.size() && !name.empty() &&
           (is_word_character(name[0]) || name[0] == ':') &&
           llvm::all_of(
               name,
               [](char c) {
                   return is_word_character(c) || StringRef(":.->()[]<>, ").contains(c);
               });
}

bool ends_expression(const Token& token) {
    if (token.is_word())
        return !token.is_one_of({"return", "else", "do", "case", "throw", "co_return", "co_await",
                                 "co_yield", "new", "delete", "operator"});
    return token.kind == TokenKind::literal || token.is_one_of({")", "]"});
}

}  // namespace

bool starts_magic(std::string_view line, bool indented, const Token& previous) {
    const char second = line.size() > 1 ? line[1] : '\0';
    const bool after_statement =
        previous.kind == TokenKind::none || previous.kind == TokenKind::directive ||
        previous.kind == TokenKind::magic || previous.is_one_of({";", "}"});
    if (line[0] == '!') return second != '=' && (after_statement || ends_expression(previous));
    if (line[0] == '?') return after_statement;
    if (line[0] != '%' || (second != '%' && !llvm::isAlpha(second))) return false;
    if (after_statement) return true;
    // After an expression without its semicolon % could be an operator; then the name of a magic at
    // the very start of a line decides.
    const StringRef name = magic_name_of(line);
    return !indented && ends_expression(previous) && find_magic(name) &&
           (name.size() == line.size() || line[name.size()] == ' ');
}

std::vector<Segment> split_magics(const std::string& code) {
    std::vector<Segment> segments;
    if (const StringRef line = StringRef(code).trim(); is_trailing_question(line)) {
        segments.push_back({inspection(line.rtrim('?'), line.ends_with("??"))});
        return segments;
    }
    SourceText source(code, tokenize_cell);
    std::size_t start = 0;
    unsigned start_line = 1;
    const auto add_cpp = [&](std::size_t end) {
        SourceText part(code.substr(start, end - start));
        if (!part.tokens().empty()) segments.push_back({{}, std::move(part), start_line});
    };
    for (const Token& token : source.tokens()) {
        if (token.kind != TokenKind::magic) continue;
        add_cpp(token.begin + 1 - token.column);
        segments.push_back({read_magic(token, token.begin == source.tokens()[0].begin)});
        start = std::min(token.end() + 1, code.size());
        start_line = token.line + 1 + static_cast<unsigned>(StringRef(token.text).count('\n'));
    }
    if (segments.empty())  // C++ alone
        segments.push_back({{}, std::move(source), 1});
    else
        add_cpp(code.size());
    return segments;
}

Magic parse_magic(const std::string& code) {
    const std::vector<Segment> segments = split_magics(code);
    return segments.size() == 1 ? segments[0].magic : Magic();
}

}  // namespace xcpp_session
