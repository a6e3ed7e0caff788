#include "lexer.hpp"

#include <cctype>
#include <string_view>

namespace lanes::gpu {

namespace {

bool starts_word(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' ||
           static_cast<unsigned char>(c) >= 128;
}

bool in_word(char c) { return starts_word(c) || std::isdigit(static_cast<unsigned char>(c)); }

class Lexer {
public:
    Lexer(const std::string& text, int line) : text_(text), line_(line) {}

    std::vector<Token> run() {
        while (skip_blanks()) {
            if (at_ == '#' && line_is_empty_)
                directive();
            else
                token();
            line_is_empty_ = false;
        }
        return std::move(tokens_);
    }

private:
    char peek(std::size_t ahead) const {
        return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
    }
    bool follows(std::string_view what) const {
        return text_.compare(position_, what.size(), what) == 0;
    }

    void step(std::size_t count = 1) {
        for (; count > 0 && position_ < text_.size(); --count)
            if (text_[position_++] == '\n') ++line_;
    }

    std::size_t continuation() const {  // length of a backslash and the end of line after it
        if (!follows("\\")) return 0;
        return peek(1) == '\n' ? 2 : peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
    }

    void skip_line_comment() {
        while (position_ < text_.size() && peek(0) != '\n')
            step(continuation() ? continuation() : 1);
    }

    void skip_block_comment() {
        const std::size_t end = text_.find("*/", position_ + 2);
        step(end == std::string::npos ? text_.size() : end + 2 - position_);
    }

    bool skip_blanks() {
        while (position_ < text_.size()) {
            at_ = peek(0);
            if (continuation())
                step(continuation());
            else if (at_ == '\n')
                step(), line_is_empty_ = true;
            else if (std::isspace(static_cast<unsigned char>(at_)))
                step();
            else if (follows("//"))
                skip_line_comment();
            else if (follows("/*"))
                skip_block_comment();
            else
                return true;
        }
        return false;
    }

    void directive() {
        Token token{Token::Kind::directive, "", line_};
        for (step(); position_ < text_.size() && peek(0) != '\n';) {
            if (continuation()) {
                step(continuation());
            } else if (follows("//")) {
                skip_line_comment();
            } else if (follows("/*")) {
                skip_block_comment();
                token.text += ' ';
            } else {
                token.text += peek(0);
                step();
            }
        }
        tokens_.push_back(token);
    }

    void add(Token::Kind kind, std::size_t length) {
        tokens_.push_back({kind, text_.substr(position_, length), line_});
        step(length);
    }

    bool raw_string() {
        for (std::string_view prefix : {"R\"", "LR\"", "uR\"", "UR\"", "u8R\""}) {
            if (!follows(prefix)) continue;
            const std::size_t first = position_ + prefix.size(), open = text_.find('(', first);
            if (open == std::string::npos) return false;
            const std::size_t close =
                text_.find(")" + text_.substr(first, open - first) + "\"", open);
            const std::size_t end =
                close == std::string::npos ? text_.size() : close + (open - first) + 2;
            add(Token::Kind::literal, end - position_);
            return true;
        }
        return false;
    }

    void quoted() {
        std::size_t length = 1;
        while (position_ + length < text_.size() && peek(length) != at_ && peek(length) != '\n')
            length += peek(length) == '\\' ? 2 : 1;
        add(Token::Kind::literal, length + 1);
    }

    void number() {
        std::size_t length = 1;
        while (in_word(peek(length)) || peek(length) == '.' ||
               (peek(length) == '\'' && in_word(peek(length + 1))) ||
               ((peek(length) == '+' || peek(length) == '-') &&
                std::string_view("eEpP").find(peek(length - 1)) != std::string_view::npos))
            ++length;
        add(Token::Kind::number, length);
    }

    void token() {
        if (raw_string()) return;
        if (at_ == '"' || at_ == '\'') return quoted();
        if (std::isdigit(static_cast<unsigned char>(at_)) ||
            (at_ == '.' && std::isdigit(static_cast<unsigned char>(peek(1)))))
            return number();
        if (starts_word(at_)) {
            std::size_t length = 1;
            while (in_word(peek(length))) ++length;
            return add(Token::Kind::identifier, length);
        }
        // '>' is always a token of its own: ">>" may end two template lists.
        for (std::string_view two : {"::", "->", "##", "&&", "||", "==", "!=", "<=", ">=", "<<"})
            if (follows(two)) return add(Token::Kind::punctuation, two.size());
        add(Token::Kind::punctuation, 1);
    }

    const std::string& text_;
    std::vector<Token> tokens_;
    std::size_t position_ = 0;
    int line_;
    char at_ = '\0';
    bool line_is_empty_ = true;
};

}  // namespace

std::vector<Token> tokenize(const std::string& text, int first_line) {
    return Lexer(text, first_line).run();
}

std::string spelled(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t i = first; i < last; ++i) {
        const bool words = !text.empty() && in_word(text.back()) && in_word(tokens[i].text.front());
        if (words || (!text.empty() && text.back() == ',')) text += ' ';
        text += tokens[i].text;
    }
    return text;
}

}  // namespace lanes::gpu
