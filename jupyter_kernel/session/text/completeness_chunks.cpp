#include "completeness_chunks.hpp"

#include "magic_lines.hpp"
#include "session/base/one_of.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace xcpp_session {
namespace {

bool is_class_word(std::string_view word) {
    return word == "class" || word == "struct" || word == "union" || word == "enum";
}

// Does the chunk, as far as it is written, define a function, a class, a template or a namespace?
bool is_definition(const std::vector<ScanToken>& tokens) {
    static constexpr std::array<std::string_view, 12> control = {
        "if",   "for",   "while",  "switch", "do",   "try",
        "else", "catch", "return", "throw",  "case", "delete"};
    static constexpr std::array<std::string_view, 5> outside = {"template", "namespace", "using",
                                                                "typedef", "static_assert"};
    if (tokens.empty() || tokens[0].kind != ScanKind::word || one_of(tokens[0].text, control))
        return false;
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
            if (i < 2 || tokens[i - 1].kind != ScanKind::word)
                return false;  // a call, not a type and a name
            const ScanToken& type = tokens[i - 2];
            if (type.kind != ScanKind::word && type.text != ">" && type.text != "*" &&
                type.text != "&" && type.text != "&&" && type.text != "::" && type.text != "~")
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
        else if (angles > 0 || token.text == "*" || token.text == "&")
            continue;
        else if (token.kind == ScanKind::word)
            ++words;
        else if (token.text == "::")
            words = words > 0 ? words - 1 : 0;
        else
            return words >= 2 && (token.text == "=" || token.text == ";" || token.text == "{" ||
                                  token.text == "[" || token.text == ",");
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
        if ((tokens[i].text == "{" || tokens[i].text == "(" || tokens[i].text == "[") &&
            --depth == 0) {
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
    static constexpr std::array<std::string_view, 7> blocks = {
        "else", "do", "try", "const", "noexcept", "override", "final"};
    return before.text == ")" || one_of(before.text, blocks) || tokens[0].text == "namespace" ||
           tokens[0].text == "extern" || tokens[0].text == "template" ||
           std::any_of(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(open),
                       [](const ScanToken& token) { return token.text == "->"; });
}

}  // namespace

Chunks split_chunks(std::string_view text) {
    Chunks result;
    Scanner scanner(text);
    ScanToken previous;
    Chunk chunk;
    std::string open;
    const auto finish = [&](std::size_t end) {
        if (chunk.tokens.empty()) return;
        chunk.text = text.substr(chunk.tokens[0].offset, end - chunk.tokens[0].offset);
        chunk.definition = is_definition(chunk.tokens);
        chunk.variable = !chunk.definition && declares_variable(chunk.tokens);
        result.chunks.push_back(std::exchange(chunk, {}));
    };
    for (ScanToken token = scanner.next(); token.kind != ScanKind::end; token = scanner.next()) {
        if (starts_magic(token, previous, open.empty(), text)) {
            finish(token.offset);
            scanner.skip_line(token.offset);
            previous = {};
            continue;
        }
        if (token.kind == ScanKind::directive) {
            result.directives += std::string(token.text) + "\n";
            if (open.empty()) previous = token;
            continue;
        }
        chunk.tokens.push_back(token);
        if (token.text == "(" || token.text == "[" || token.text == "{")
            open += token.text == "(" ? ')' : token.text == "[" ? ']' : '}';
        if ((token.text == ")" || token.text == "]" || token.text == "}") && !open.empty())
            open.pop_back();
        if (open.empty() && ends_chunk(chunk.tokens)) finish(token.offset + token.text.size());
        previous = token;
    }
    finish(text.size());
    result.closers.assign(open.rbegin(), open.rend());
    return result;
}

}  // namespace xcpp_session
