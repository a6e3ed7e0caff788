// The words of a cell, without preprocessing: enough to find where one statement or declaration
// ends and the next begins.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace xcpp_session {

enum class TokenKind {
    word,       // identifier or keyword
    literal,    // number, string, character
    mark,       // punctuation, one operator a token ('>>' is two: it may close templates)
    directive,  // a whole preprocessor line, continuation lines included
};

struct Token {
    TokenKind kind = TokenKind::mark;
    std::string_view text;
    std::size_t begin = 0;  // offset in the cell
    unsigned line = 1;      // from 1
    unsigned column = 1;    // in bytes, from 1

    std::size_t end() const { return begin + text.size(); }
    bool is(std::string_view word) const { return kind != TokenKind::literal && text == word; }
};

// Views point into `code`. Comments are left out.
std::vector<Token> tokenize(std::string_view code);

// The index of the bracket that closes the one at `open` ((, [ or {), or tokens.size().
std::size_t closing(const std::vector<Token>& tokens, std::size_t open);

// The index of the > that closes the < at `open`, or `open` if it does not look like template
// arguments.
std::size_t closing_angle(const std::vector<Token>& tokens, std::size_t open);

}  // namespace xcpp_session
