#include "completion_context.hpp"

#include "session/split/cell.hpp"
#include "session/text/directives.hpp"
#include "session/text/magic_lines.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace xcpp_session {
namespace {

// A word that no cell holds: where it ends up among the tokens tells what the cursor is in.
constexpr std::string_view point = "__xcpp_point";

bool is_point(const Token& token) {
    return token.is_word() && token.text.size() >= point.size() &&
           token.text.substr(token.text.size() - point.size()) == point;
}

std::size_t start_of_line(std::string_view code, std::size_t at) {
    return at == 0 ? 0 : code.rfind('\n', at - 1) + 1;  // npos + 1 is 0
}

// The brackets that close what is open at the end.
std::string closers(const Tokens& tokens) {
    std::string open;
    for (const Token& token : tokens) {
        if (token.opens()) open += token.is("(") ? ')' : token.is("[") ? ']' : '}';
        if (token.closes() && !open.empty()) open.pop_back();
    }
    return {open.rbegin(), open.rend()};
}

// The place asked for is at the end of `before`.
void place_at_end(CompletionContext& context, const std::string& before) {
    context.line = static_cast<unsigned>(std::count(before.begin(), before.end(), '\n')) + 1;
    context.column =
        static_cast<unsigned>(before.size() - start_of_line(before, before.size())) + 1;
}

// Pieces in front of the last one, which ends at the point: definitions into a namespace,
// statements into a function. Both hide what older cells define.
void compose(CompletionContext& context, const Cell& cell) {
    const auto is_definition = [](const Piece& piece) {
        return (piece.kind == PieceKind::declaration && !piece.variable) ||
               piece.kind == PieceKind::outside;
    };
    const Piece& last = cell.pieces.back();
    const bool last_is_definition = is_definition(last);
    std::string directives, outside, inside;
    for (const Piece& piece : cell.pieces) {
        if (&piece == &last) continue;
        const std::string text = std::string(cell.original(piece.first, piece.last)) + "\n";
        if (piece.first == piece.last && cell.tokens[piece.first].kind == TokenKind::directive)
            directives += text;
        else if (is_definition(piece) || (last_is_definition && piece.variable))
            outside += text;
        else
            inside += text;
    }
    std::string before = directives + "namespace __xcpp_completion {\n" + outside;
    if (!last_is_definition) before += "void __xcpp_complete() {\n" + inside;
    before += cell.original(last.first, last.last);
    before.erase(before.size() - point.size());
    context.text =
        before + "\n" + closers(cell.tokens) + ";\n" + (last_is_definition ? "}\n" : "}\n}\n");
    place_at_end(context, before);
}

// Headers of another language, which need not exist here, or would be read inside of a namespace.
void blank_includes(SourceText& source) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (const Token& token : source.tokens())
        if (token.kind == TokenKind::directive && directive_of(token).name == "include")
            found.emplace_back(token.begin, token.end());
    for (const auto& [begin, end] : found) source.blank(begin, end);
}

// A text for a library's magic: what the library declares, then the cell up to the point.
void compose(CompletionContext& context, const MagicKind& magic, const SourceText& source) {
    std::string before = "namespace __xcpp_completion {\n#line 1 \"" + magic.name + "\"\n" +
                         magic.declarations.value_or("") + "\n#line 1 \"" + asked_file_name +
                         "\"\n";
    before += source.code();
    before.erase(before.size() - point.size());
    context.text = before + "\n" + closers(source.tokens()) + ";\n}\n";
    place_at_end(context, before);
}

// Where the C++ of a magic begins: "%timeit -n 3 v.x", "?v.x", "%%timeit\nv.x"; npos: it has none.
std::size_t cpp_of_magic(const std::string& text) {
    const Magic magic = parse_magic(text);
    const CppPart part = magic.kind ? magic.kind->cpp_part : CppPart::none;
    if (part == CppPart::none) return std::string::npos;
    if (part == CppPart::statement) return magic.body_column - 1;
    if (part == CppPart::argument_and_body && !magic.argument.empty())
        return magic.argument_column - 1;
    return std::min(text.find('\n'), text.size()) + 1;
}

// Puts blanks in the place of what is no C++, so that offsets stay: "%timeit -n 3 v.x" -> "
// v.x". False: the cursor is in it.
bool blank_magic(std::string& code, std::size_t cursor) {
    const SourceText source(code, tokenize_cell);
    for (const Token& token : source.tokens()) {
        if (token.kind != TokenKind::magic) continue;
        std::size_t end = token.end();
        if (token.begin < cursor && cursor <= end) {
            const std::size_t cpp = cpp_of_magic(std::string(token.text));
            if (cpp == std::string::npos || cursor < token.begin + cpp) return false;
            end = token.begin + cpp;
        }
        std::replace_if(
            code.begin() + static_cast<std::ptrdiff_t>(token.begin),
            code.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
        code[token.begin] = ';';  // what stands before it has ended
    }
    return true;
}

// A line that starts with # or %: completed without the compiler.
bool line_context(CompletionContext& context, std::string_view code, std::size_t cursor) {
    const std::size_t start = start_of_line(code, cursor);
    const std::string_view line = code.substr(start, cursor - start);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return false;
    if (line[first] == '%' && line.find_first_of(" \t", first) == std::string_view::npos) {
        // Only where a magic may stand: "a\n%b" is an expression.
        const std::string text = std::string(code.substr(0, cursor)) + "x";
        const std::vector<Segment> segments = split_magics(text);
        if (segments.back().magic.is_cpp() && !(line == "%" || line == "%%")) return false;
        context.asked = AskedFor::magic;
        context.prefix = line.substr(first);
        context.start = start + first;
        return true;
    }
    if (line[first] != '#') return false;
    const std::size_t word = line.find_first_not_of(" \t", first + 1);
    if (word == std::string_view::npos || line.substr(word, 7) != "include") return false;
    const std::size_t quote = line.find_first_of("<\"", word + 7);
    if (quote == std::string_view::npos ||
        line.find_first_of(">\"", quote + 1) != std::string_view::npos)
        return true;
    context.asked = AskedFor::include;
    context.angled = line[quote] == '<';
    context.prefix = line.substr(quote + 1);
    context.start = start + quote + 1;
    return true;
}

std::size_t start_of_word(std::string_view code, std::size_t end) {
    while (end > 0 && is_word_character(code[end - 1])) --end;
    return end;
}

// The magic of a library whose text this cell is; null: it is none, or its text is not code.
const MagicKind* library_magic_of(std::string_view cell) {
    const Magic magic = parse_magic(std::string(cell));
    return magic.kind && magic.kind->translate ? magic.kind : nullptr;
}

// The name in [context.start, context.end) of the code, whose magics are blanked out; magic: of a
// library, whose text the code is, or null.
void code_context(CompletionContext& context, const std::string& code, const MagicKind* magic) {
    context.prefix = code.substr(context.start, context.end - context.start);
    if (!context.prefix.empty() && std::isdigit(static_cast<unsigned char>(context.prefix[0])))
        return;
    const std::string text = code.substr(0, context.start) + std::string(point);
    if (magic) {
        SourceText source(text);
        if (!magic->declarations || !is_point(source.tokens().back())) return;
        context.asked = AskedFor::code;
        context.isolated = true;
        blank_includes(source);
        compose(context, *magic, source);
        return;
    }
    const Cell cell(text, Names());
    // Not there: the cursor is in a string, a comment, a directive or a magic.
    if (!is_point(cell.tokens.back())) return;
    context.asked = AskedFor::code;
    compose(context, cell);
}

}  // namespace

CompletionContext completion_context(std::string_view cell, std::size_t cursor) {
    CompletionContext context;
    cursor = std::min(cursor, cell.size());
    context.start = context.end = cursor;
    if (line_context(context, cell, cursor)) return context;
    std::string code(cell);
    if (!blank_magic(code, cursor)) return context;
    context.start = start_of_word(code, cursor);
    code_context(context, code, library_magic_of(cell));
    return context;
}

CompletionContext inspection_context(std::string_view cell, std::size_t cursor) {
    CompletionContext context;
    cursor = std::min(cursor, cell.size());
    std::string code(cell);
    if (!blank_magic(code, cursor)) return context;
    const auto is_word_at = [&](std::size_t at) {
        return at < code.size() && is_word_character(code[at]);
    };
    if (!is_word_at(cursor) && !(cursor > 0 && is_word_at(cursor - 1))) {
        // In the arguments of a call: the function is meant.
        int depth = 0;
        while (cursor > 0) {
            const char c = code[cursor - 1];
            if (c == ';' || c == '{' || c == '}') return context;
            if (c == ')') ++depth;
            if (c == '(' && depth-- == 0) break;
            --cursor;
        }
        if (cursor == 0) return context;
        --cursor;
        while (cursor > 0 && code[cursor - 1] == ' ') --cursor;
    }
    context.start = start_of_word(code, cursor);
    context.end = cursor;
    while (is_word_at(context.end)) ++context.end;
    if (context.start < context.end) code_context(context, code, library_magic_of(cell));
    return context;
}

}  // namespace xcpp_session
