// The tokens of a C++ text, read by clang's lexer without preprocessing. Everybody who looks at the
// text of a cell uses them. Reading never fails: text that ends inside something gives a token that
// says so.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

enum class TokenKind {
    none,        // there is no token: before the first one and after the last one
    word,        // identifier or keyword
    literal,     // number, string, character
    mark,        // punctuation, one operator a token ('>>' is two: it may close templates)
    directive,   // a whole preprocessor line, continuation lines included
    magic,       // a whole line that is no C++ (magic_lines.hpp)
    unfinished,  // a string, a character or a comment without its end
};

struct Token {
    TokenKind kind = TokenKind::none;
    std::string_view text;
    std::size_t begin = 0;  // offset in the text
    unsigned line = 1;      // from 1
    unsigned column = 1;    // in bytes, from 1
    bool first_on_line = false;

    std::size_t end() const { return begin + text.size(); }
    bool is_word() const { return kind == TokenKind::word; }
    bool is(std::string_view word) const { return kind != TokenKind::literal && text == word; }
    bool is_one_of(std::initializer_list<std::string_view> words) const;
    bool opens() const { return is_one_of({"(", "[", "{"}); }
    bool closes() const { return is_one_of({")", "]", "}"}); }
};

// A list of tokens. Every index may be read: where there is no token, it gives one of kind none, so
// that a token's neighbours can be looked at without asking whether it has any.
class Tokens {
public:
    explicit Tokens(std::vector<Token> tokens = {}) : list_(std::move(tokens)) {}

    const Token& operator[](std::size_t i) const { return i < list_.size() ? list_[i] : no_token_; }
    const Token& back() const { return (*this)[list_.size() - 1]; }
    std::size_t size() const { return list_.size(); }
    bool empty() const { return list_.empty(); }
    auto begin() const { return list_.begin(); }
    auto end() const { return list_.end(); }

    // The bracket that closes the one at `open` ((, [ or {), or size().
    std::size_t closing(std::size_t open) const;
    // The > that closes the < at `open`, or `open` if it does not look like template arguments.
    std::size_t closing_angle(std::size_t open) const;
    // The token after the one at `at` or, if that is an opening bracket, after what it encloses.
    std::size_t after(std::size_t at) const { return ((*this)[at].opens() ? closing(at) : at) + 1; }
    // The first of these words at or after `at`, outside of brackets that open there; or size().
    std::size_t find(std::size_t at, std::initializer_list<std::string_view> words) const;

    void remove(std::size_t begin, std::size_t end);  // those in this part of the text

private:
    static const Token no_token_;
    std::vector<Token> list_;
};

// The lexer reads this standard of C++ from here on, "c++20"; C++17 before.
void use_language_standard(std::string_view standard);

// Views point into `code`. Comments are left out.
Tokens tokenize(std::string_view code);
// The same for the text of a cell, which may have lines that are no C++.
Tokens tokenize_cell(std::string_view code);

bool is_word_character(char c);

// A text with its tokens: it is read once, and passed on by moving.
class SourceText {
public:
    explicit SourceText(std::string code = {}, Tokens (*read)(std::string_view) = tokenize)
        : code_(std::make_unique<std::string>(std::move(code))), tokens_(read(*code_)) {}

    const std::string& code() const { return *code_; }
    const Tokens& tokens() const { return tokens_; }

    // Puts spaces in the place of [begin, end) and removes the tokens there. Lines and columns
    // stay.
    void blank(std::size_t begin, std::size_t end);

private:
    std::unique_ptr<std::string> code_;  // tokens point into it
    Tokens tokens_;
};

}  // namespace xcpp_session
