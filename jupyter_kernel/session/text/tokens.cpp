#include "tokens.hpp"

#include "directives.hpp"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

#include <string>

namespace xcpp_session {
namespace {

clang::LangOptions language() {
    clang::LangOptions options;
    options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = true;
    options.Bool = options.LineComment = options.RawStringLiterals = true;
    return options;
}

// A backslash before the newline at `at`; clang allows spaces between the two.
bool is_continued(std::string_view code, std::size_t at) {
    while (at > 0 && (code[at - 1] == ' ' || code[at - 1] == '\t' || code[at - 1] == '\r')) --at;
    return at > 0 && code[at - 1] == '\\';
}

// Where the logical line that starts at `at` ends: a backslash before the newline continues it, a
// comment /* may span lines. Neither a string nor a comment // opens such a comment.
std::size_t directive_end(std::string_view code, std::size_t at) {
    bool in_line_comment = false;
    while (at < code.size()) {
        if (code[at] == '\n') {
            if (!is_continued(code, at)) return at;
            ++at;
        } else if (in_line_comment) {
            ++at;
        } else if (code[at] == '"' || code[at] == '\'') {
            at = quoted_end(code, at);
        } else if (code.compare(at, 2, "/*") == 0) {
            const std::size_t close = code.find("*/", at + 2);
            at = close == std::string_view::npos ? code.size() : close + 2;
        } else {
            in_line_comment = code.compare(at, 2, "//") == 0;
            ++at;
        }
    }
    return code.size();
}

class Places {
public:
    explicit Places(std::string_view code) : code_(code) {}
    // Offsets must not go down.
    void set(Token& token) {
        for (; at_ < token.begin; ++at_) {
            if (code_[at_] != '\n') continue;
            ++line_;
            line_begin_ = at_ + 1;
        }
        token.line = line_;
        token.column = static_cast<unsigned>(token.begin - line_begin_) + 1;
    }

private:
    std::string_view code_;
    std::size_t at_ = 0, line_begin_ = 0;
    unsigned line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(std::string_view code) {
    static const clang::LangOptions options = language();
    const std::string copy(code);  // the lexer wants a terminating zero
    Places places(code);
    std::vector<Token> tokens;
    std::size_t start = 0;
    while (start < copy.size()) {  // one round a directive: the lexer starts again behind it
        const char* const begin = copy.c_str();
        clang::Lexer lexer(clang::SourceLocation(), options, begin, begin + start,
                           begin + copy.size());
        clang::Token found;
        bool again = false;
        for (;;) {
            lexer.LexFromRawLexer(found);
            if (found.is(clang::tok::eof)) break;
            Token token;
            token.begin =
                static_cast<std::size_t>(lexer.getBufferLocation() - begin) - found.getLength();
            token.text = code.substr(token.begin, found.getLength());
            places.set(token);
            if (found.is(clang::tok::hash) && found.isAtStartOfLine()) {
                const std::size_t end = directive_end(code, token.begin);
                token.kind = TokenKind::directive;
                token.text = code.substr(token.begin, end - token.begin);
                tokens.push_back(token);
                start = end;
                again = true;
                break;
            }
            if (found.is(clang::tok::raw_identifier))
                token.kind = TokenKind::word;
            else if (found.isLiteral())
                token.kind = TokenKind::literal;
            if (token.text == ">>") {
                Token first = token;
                first.text = token.text.substr(0, 1);
                tokens.push_back(first);
                token.text.remove_prefix(1);
                ++token.begin;
                ++token.column;
            }
            tokens.push_back(token);
        }
        if (!again) break;
    }
    return tokens;
}

std::size_t closing(const std::vector<Token>& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        if (token.kind != TokenKind::mark) continue;
        if (token.text == "(" || token.text == "[" || token.text == "{") ++depth;
        if ((token.text == ")" || token.text == "]" || token.text == "}") && --depth == 0) return i;
    }
    return tokens.size();
}

std::size_t closing_angle(const std::vector<Token>& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        if (token.kind != TokenKind::mark) continue;
        if (token.text == "(" || token.text == "[" || token.text == "{") {
            i = closing(tokens, i);
            continue;
        }
        if (token.text == "<") ++depth;
        if (token.text == ">" && --depth == 0) return i;
        if (token.text == ";" || token.text == ")" || token.text == "]" || token.text == "}" ||
            token.text == "||")
            return open;
        const bool reference =
            i + 1 < tokens.size() &&
            (tokens[i + 1].is(",") || tokens[i + 1].is(">") || tokens[i + 1].is("..."));
        if (token.text == "&&" && !reference) return open;
    }
    return open;
}

}  // namespace xcpp_session
