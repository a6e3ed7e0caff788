// CUDA C++ text as tokens, as far as reading declarations needs it: comments are gone, lines that
// were continued are one, each directive is one token.
#pragma once

#include <string>
#include <vector>

namespace lanes::gpu {

struct Token {
    enum class Kind {
        identifier,
        number,
        literal,
        punctuation,
        directive
    } kind = Kind::punctuation;
    std::string text;  // of a directive: the whole line after the '#'
    int line = 0;      // from 1

    bool is(const char* what) const {
        return kind != Kind::literal && kind != Kind::directive && text == what;
    }
    bool is_identifier() const { return kind == Kind::identifier; }
};

// Never fails: what is no C++ gives tokens that mean nothing, and the compiler will say why.
std::vector<Token> tokenize(const std::string& text, int first_line = 1);

// Tokens as text, with blanks only where two words would run together: "unsigned int", "Pair<float,
// 2>".
std::string spelled(const std::vector<Token>& tokens, std::size_t first, std::size_t last);

}  // namespace lanes::gpu
