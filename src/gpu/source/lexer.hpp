// CUDA C++ text as tokens, as far as parsing declarations needs it: comments are removed, continued
// lines are joined, each directive is one token.
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

// Never fails: text that is not C++ gives meaningless tokens, and the compiler will report it.
std::vector<Token> tokenize(const std::string& text, int first_line = 1);

// Tokens as text, with blanks only between words: "unsigned int", "Pair<float, 2>".
std::string spelled(const std::vector<Token>& tokens, std::size_t first, std::size_t last);

}  // namespace lanes::gpu
