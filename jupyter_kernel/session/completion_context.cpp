#include "completion_context.hpp"

#include "completeness_scan.hpp"
#include "magics.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace xcpp_session {
namespace {

// A word that no cell holds: where it ends up among the tokens tells what the cursor is in.
constexpr std::string_view point = "__xcpp_point";

template <std::size_t N>
bool one_of(std::string_view text, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

// One statement or definition at the top level of a cell.
struct Chunk {
    std::vector<ScanToken> tokens;
    std::string_view text;
    bool definition = false;  // belongs outside of functions
    bool has_point = false;
};

bool is_class_word(std::string_view word) { return word == "class" || word == "struct" || word == "union" || word == "enum"; }

// Does the chunk, as far as it is written, define a function, a class, a template or a namespace?
bool is_definition(const std::vector<ScanToken>& tokens) {
    static constexpr std::array<std::string_view, 12> control = {"if",   "for",   "while",  "switch", "do",   "try",
                                                                 "else", "catch", "return", "throw",  "case", "delete"};
    static constexpr std::array<std::string_view, 5> outside = {"template", "namespace", "using", "typedef", "static_assert"};
    if (tokens.empty() || tokens[0].kind != ScanKind::word || one_of(tokens[0].text, control)) return false;
    if (tokens[0].text == "using" || tokens[0].text == "typedef") return tokens.back().text == ";";
    if (one_of(tokens[0].text, outside)) return true;
    int depth = 0;
    std::size_t parenthesis = 0;
    bool class_word = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string_view text = tokens[i].text;
        if (depth == 0 && is_class_word(text)) class_word = true;
        if (depth == 0 && text == "=") return false;
        if (depth == 0 && text == "(" && parenthesis == 0) {
            if (i < 2 || tokens[i - 1].kind != ScanKind::word) return false;  // a call, not a type and a name
            const ScanToken& type = tokens[i - 2];
            if (type.kind != ScanKind::word && type.text != ">" && type.text != "*" && type.text != "&" && type.text != "&&" && type.text != "::" &&
                type.text != "~")
                return false;
            parenthesis = i;
        }
        if (depth == 0 && text == "{") return class_word || parenthesis > 0;
        if (text == "(" || text == "[" || text == "{") ++depth;
        if (text == ")" || text == "]" || text == "}") --depth;
    }
    return false;
}

// "type name = …;", "type name;", "type name{…};"
bool declares_variable(const std::vector<ScanToken>& tokens) {
    std::size_t words = 0;
    int angles = 0;
    for (const ScanToken& token : tokens) {
        if (token.text == "<")
            ++angles;
        else if (token.text == ">")
            --angles;
        else if (angles > 0)
            continue;
        else if (token.kind == ScanKind::word)
            ++words;
        else if (token.text == "::")
            words = words > 0 ? words - 1 : 0;
        else if (token.text == "*" || token.text == "&")
            continue;
        else
            return words >= 2 && (token.text == "=" || token.text == ";" || token.text == "{" || token.text == "[" || token.text == ",");
    }
    return false;
}

// A chunk ends at ";" or at the "}" of a function, a namespace or a block.
bool ends_chunk(const std::vector<ScanToken>& tokens) {
    const std::string_view last = tokens.back().text;
    if (last == ";") return true;
    if (last != "}") return false;
    int depth = 0;
    std::size_t open = tokens.size() - 1;
    for (std::size_t i = tokens.size(); i-- > 0;) {
        if (tokens[i].text == "}" || tokens[i].text == ")" || tokens[i].text == "]") ++depth;
        if ((tokens[i].text == "{" || tokens[i].text == "(" || tokens[i].text == "[") && --depth == 0) {
            open = i;
            break;
        }
    }
    for (std::size_t i = 0, inside = 0; i < open; ++i) {
        const std::string_view text = tokens[i].text;
        if (text == "(" || text == "[" || text == "{")
            ++inside;
        else if (text == ")" || text == "]" || text == "}")
            --inside;
        else if (inside == 0 && (text == "=" || (is_class_word(text) && i + 1 < open)))
            return false;
    }
    if (open == 0) return true;
    const ScanToken& before = tokens[open - 1];
    static constexpr std::array<std::string_view, 7> blocks = {"else", "do", "try", "const", "noexcept", "override", "final"};
    return before.text == ")" || one_of(before.text, blocks) || tokens[0].text == "namespace" || tokens[0].text == "extern" || tokens[0].text == "template" ||
           std::any_of(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(open), [](const ScanToken& token) { return token.text == "->"; });
}

struct Pieces {
    std::string directives;
    std::vector<Chunk> chunks;
    std::string closers;  // of the brackets that are open at the point
    bool found = false;   // the point is in C++, not in a string, a comment, a directive or a magic
    int parentheses = 0;
};

Pieces take_apart(std::string_view text) {
    Pieces pieces;
    Scanner scanner(text);
    ScanToken previous;
    Chunk chunk;
    std::string open;
    const auto finish = [&](std::size_t end) {
        if (chunk.tokens.empty()) return;
        chunk.text = text.substr(chunk.tokens[0].offset, end - chunk.tokens[0].offset);
        chunk.definition = is_definition(chunk.tokens);
        pieces.chunks.push_back(std::exchange(chunk, {}));
    };
    for (ScanToken token = scanner.next(); token.kind != ScanKind::end; token = scanner.next()) {
        if (starts_magic(token, previous, open.empty(), text)) {
            finish(token.offset);
            scanner.skip_line(token.offset);
            previous = {};
            continue;
        }
        if (token.kind == ScanKind::directive) {
            pieces.directives += std::string(token.text) + "\n";
            if (open.empty()) previous = token;
            continue;
        }
        chunk.tokens.push_back(token);
        if (token.text == "(" || token.text == "[" || token.text == "{") open += token.text == "(" ? ')' : token.text == "[" ? ']' : '}';
        if ((token.text == ")" || token.text == "]" || token.text == "}") && !open.empty()) open.pop_back();
        const bool here = token.kind == ScanKind::word && token.text.size() >= point.size() && token.text.substr(token.text.size() - point.size()) == point;
        if (here)
            chunk.has_point = pieces.found = true;
        else if (open.empty() && ends_chunk(chunk.tokens))
            finish(token.offset + token.text.size());
        previous = token;
    }
    finish(text.size());
    pieces.closers.assign(open.rbegin(), open.rend());
    return pieces;
}

// Chunks in front of the one that holds the point: definitions into a namespace, statements into a function. Both hide what older cells define.
void compose(CompletionContext& context, const Pieces& pieces) {
    std::string outside, inside, last;
    bool last_is_definition = false;
    for (const Chunk& chunk : pieces.chunks) {
        if (chunk.has_point) {
            last = chunk.text.substr(0, chunk.text.size() - point.size());
            last_is_definition = chunk.definition;
        } else {
            (chunk.definition ? outside : inside) += std::string(chunk.text) + "\n";
        }
    }
    if (last_is_definition)
        for (const Chunk& chunk : pieces.chunks)
            if (!chunk.definition && !chunk.has_point && declares_variable(chunk.tokens)) outside += std::string(chunk.text) + "\n";
    std::string before = pieces.directives + "namespace __xcpp_completion {\n" + outside;
    if (!last_is_definition) before += "void __xcpp_complete() {\n" + inside;
    before += last;
    context.text = before + "\n" + pieces.closers + ";\n" + (last_is_definition ? "}\n" : "}\n}\n");
    context.line = static_cast<unsigned>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t newline = before.rfind('\n');
    context.column = static_cast<unsigned>(before.size() - (newline == std::string::npos ? 0 : newline + 1)) + 1;
}

// The cell with what is no C++ in it made blank, so that offsets stay: "%timeit -n 3 v.x" -> "             v.x". False: nothing of it is C++.
bool blank_magic(std::string& code, std::size_t cursor) {
    if (is_cell_magic(code)) {
        const Magic magic = parse_magic(code);
        if (magic.kind != MagicKind::cell_timeit && magic.kind != MagicKind::verbose && magic.kind != MagicKind::executable) return false;
        const std::size_t end = std::min(code.find('\n', code.find("%%")), code.size());
        if (cursor <= end) return false;
        for (std::size_t i = 0; i < end; ++i) code[i] = code[i] == '\n' ? '\n' : ' ';
        return true;
    }
    std::size_t start = cursor;
    while (start > 0 && code[start - 1] != '\n') --start;
    std::size_t first = start;
    while (first < cursor && (code[first] == ' ' || code[first] == '\t')) ++first;
    if (first < cursor && code[first] == '?') {
        while (first < cursor && code[first] == '?') code[first++] = ' ';
    } else if (code.compare(first, 7, "%timeit") == 0 && first + 7 < cursor) {
        const Magic magic = parse_magic(code.substr(first, std::min(code.find('\n', first), code.size()) - first));
        std::fill(code.begin() + static_cast<std::ptrdiff_t>(first),
                  code.begin() + static_cast<std::ptrdiff_t>(std::min(first + magic.body_column - 1, cursor)), ' ');
    }
    return true;
}

// A line that starts with # or %: completed without the compiler.
bool line_context(CompletionContext& context, std::string_view code, std::size_t cursor) {
    std::size_t start = cursor;
    while (start > 0 && code[start - 1] != '\n') --start;
    const std::string_view line = code.substr(start, cursor - start);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return false;
    if (line[first] == '%' && line.find_first_of(" \t", first) == std::string_view::npos) {
        // Only where a magic may stand: "a\n%b" is an expression.
        const std::string text = std::string(code.substr(0, cursor)) + "x";
        const std::vector<Segment> segments = split_magics(text);
        if (segments.back().magic.kind == MagicKind::none && !(line == "%" || line == "%%")) return false;
        context.asked = AskedFor::magic;
        context.prefix = line.substr(first);
        context.start = start + first;
        return true;
    }
    if (line[first] != '#') return false;
    const std::size_t word = line.find_first_not_of(" \t", first + 1);
    if (word == std::string_view::npos || line.substr(word, 7) != "include") return false;
    const std::size_t quote = line.find_first_of("<\"", word + 7);
    if (quote == std::string_view::npos || line.find_first_of(">\"", quote + 1) != std::string_view::npos) return true;
    context.asked = AskedFor::include;
    context.angled = line[quote] == '<';
    context.prefix = line.substr(quote + 1);
    context.start = start + quote + 1;
    return true;
}

void code_context(CompletionContext& context, const std::string& code) {
    const std::string text = code.substr(0, context.start) + std::string(point);
    const Pieces pieces = take_apart(text);  // points into text
    if (!pieces.found) return;
    context.asked = AskedFor::code;
    const std::size_t before = code.find_last_not_of(" \t\r\n", context.start == 0 ? 0 : context.start - 1);
    context.after_access = context.start > 0 && before != std::string::npos &&
                           (code[before] == '.' || code[before] == ':' || (code[before] == '>' && before > 0 && code[before - 1] == '-'));
    compose(context, pieces);
}

}  // namespace

CompletionContext completion_context(std::string_view cell, std::size_t cursor) {
    CompletionContext context;
    cursor = std::min(cursor, cell.size());
    context.start = context.end = cursor;
    if (line_context(context, cell, cursor)) return context;
    std::string code(cell);
    if (!blank_magic(code, cursor)) return context;
    while (context.start > 0 && is_word_character(code[context.start - 1])) --context.start;
    context.prefix = code.substr(context.start, cursor - context.start);
    if (!context.prefix.empty() && std::isdigit(static_cast<unsigned char>(context.prefix[0]))) return context;
    code_context(context, code);
    return context;
}

CompletionContext inspection_context(std::string_view cell, std::size_t cursor) {
    CompletionContext context;
    cursor = std::min(cursor, cell.size());
    std::string code(cell);
    if (!blank_magic(code, cursor)) return context;
    const auto is_word_at = [&](std::size_t at) { return at < code.size() && is_word_character(code[at]); };
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
    context.start = context.end = cursor;
    while (context.start > 0 && is_word_character(code[context.start - 1])) --context.start;
    while (is_word_at(context.end)) ++context.end;
    context.prefix = code.substr(context.start, context.end - context.start);
    if (context.prefix.empty() || std::isdigit(static_cast<unsigned char>(context.prefix[0]))) return context;
    code_context(context, code);
    return context;
}

}  // namespace xcpp_session
