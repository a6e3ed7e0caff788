#include "completeness_scan.hpp"

#include "directives.hpp"

#include <array>
#include <cctype>

namespace xcpp_session {

bool is_word_character(char c) {
    // Bytes above 127 belong to letters of other alphabets.
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}

void Scanner::advance(std::size_t count) {
    for (; count > 0 && position_ < code_.size(); --count, ++position_) {
        if (code_[position_] != '\n') continue;
        ++line_;
        line_start_ = position_ + 1;
        line_is_empty_ = true;
    }
}

// Length of a backslash-newline at `at`, 0 if there is none. A backslash as the very last character
// counts as well.
std::size_t Scanner::continuation(std::size_t at) const {
    if (at >= code_.size() || code_[at] != '\\') return 0;
    std::size_t end = at + 1;
    while (end < code_.size() && (code_[end] == ' ' || code_[end] == '\t' || code_[end] == '\r'))
        ++end;
    if (end >= code_.size()) return end - at;
    return code_[end] == '\n' ? end + 1 - at : 0;
}

// Spaces, comments and line continuations. False: a comment has no end, and `token` says where it
// starts.
bool Scanner::skip_space(ScanToken& token) {
    while (position_ < code_.size()) {
        if (std::isspace(static_cast<unsigned char>(peek()))) {
            advance(1);
        } else if (const std::size_t length = continuation(position_)) {
            const bool empty = line_is_empty_;
            advance(length);
            line_is_empty_ = empty;
        } else if (peek() == '/' && peek(1) == '/') {
            while (position_ < code_.size() && peek() != '\n') {
                const std::size_t folded = continuation(position_);
                advance(folded ? folded : 1);
            }
        } else if (peek() == '/' && peek(1) == '*') {
            const bool empty = line_is_empty_;
            token = {ScanKind::open_comment,
                     code_.substr(position_),
                     position_,
                     line_,
                     static_cast<unsigned>(position_ - line_start_ + 1),
                     empty};
            const std::size_t close = code_.find("*/", position_ + 2);
            advance(close == std::string_view::npos ? code_.size() : close + 2 - position_);
            if (close == std::string_view::npos) return false;
            line_is_empty_ = empty;
        } else {
            break;
        }
    }
    return true;
}

void Scanner::read_directive() {
    while (position_ < code_.size() && peek() != '\n') {
        if (const std::size_t length = continuation(position_)) {
            advance(length);
        } else if (peek() == '/' && peek(1) == '/') {
            ScanToken ignored;
            skip_space(ignored);
            return;
        } else if (peek() == '/' && peek(1) == '*') {
            const std::size_t close = code_.find("*/", position_ + 2);
            if (close == std::string_view::npos) return;  // the next token tells
            advance(close + 2 - position_);
        } else if (peek() == '"' || peek() == '\'') {
            advance(quoted_end(code_, position_) - position_);  // a string hides // and /*
        } else {
            advance(1);
        }
    }
}

bool Scanner::read_raw_string() {
    const std::size_t open = code_.find('(', position_);
    const std::size_t quote = code_.find('"', position_);
    if (open == std::string_view::npos || open - quote > 17) {
        advance(code_.size() - position_);
        return false;
    }
    const std::string close = ")" + std::string(code_.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t end = code_.find(close, open + 1);
    advance(end == std::string_view::npos ? code_.size() - position_
                                          : end + close.size() - position_);
    return end != std::string_view::npos;
}

bool Scanner::read_quoted(char quote) {
    advance(1);
    while (position_ < code_.size() && peek() != '\n') {
        if (const std::size_t length = continuation(position_)) {
            advance(length);
        } else if (peek() == '\\') {
            advance(2);
        } else if (peek() == quote) {
            advance(1);
            return true;
        } else {
            advance(1);
        }
    }
    return false;
}

void Scanner::read_number() {
    while (position_ < code_.size()) {
        const char c = peek();
        const char before = position_ > 0 ? code_[position_ - 1] : '\0';
        const bool exponent_sign = (c == '+' || c == '-') && (before == 'e' || before == 'E' ||
                                                              before == 'p' || before == 'P');
        const bool separator = c == '\'' && is_word_character(peek(1));
        if (!is_word_character(c) && c != '.' && !exponent_sign && !separator) break;
        advance(1);
    }
}

ScanToken Scanner::next() {
    ScanToken token;
    if (!skip_space(token)) return token;
    token = {
        ScanKind::end, {}, position_, line_, static_cast<unsigned>(position_ - line_start_ + 1),
        line_is_empty_};
    if (position_ >= code_.size()) return token;
    line_is_empty_ = false;
    const char c = peek();
    if (c == '#' && token.first_on_line) {
        token.kind = ScanKind::directive;
        read_directive();
    } else if (std::isdigit(static_cast<unsigned char>(c)) ||
               (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
        token.kind = ScanKind::number;
        read_number();
    } else if (is_word_character(c)) {
        std::size_t length = 1;
        while (is_word_character(peek(length))) ++length;
        const std::string_view word = code_.substr(position_, length);
        const bool raw =
            word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
        const bool prefix = word == "L" || word == "u" || word == "U" || word == "u8";
        const char after = peek(length);
        if (after == '"' && raw) {
            token.kind = read_raw_string() ? ScanKind::string : ScanKind::open_raw;
        } else if ((after == '"' || after == '\'') && prefix) {
            advance(length);
            token.kind = read_quoted(after) ? ScanKind::string : ScanKind::open_string;
        } else {
            advance(length);
            token.kind = ScanKind::word;
        }
    } else if (c == '"' || c == '\'') {
        token.kind = read_quoted(c) ? ScanKind::string : ScanKind::open_string;
    } else {
        // ">>" stays two tokens: it may close two template argument lists.
        static constexpr std::array<std::string_view, 24> operators = {
            "...", "<<=", ">>=", "->*", "::", "->", "++", "--", "<<", "<=", ">=", "==",
            "!=",  "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", ".*"};
        std::size_t length = 1;
        for (const std::string_view known : operators)
            if (code_.substr(position_, known.size()) == known) {
                length = known.size();
                break;
            }
        token.kind = ScanKind::punctuation;
        advance(length);
    }
    token.text = code_.substr(token.offset, position_ - token.offset);
    return token;
}

std::string_view Scanner::skip_line(std::size_t offset) {
    position_ = offset;
    while (position_ < code_.size() && peek() != '\n') {
        const std::size_t folded = continuation(position_);
        advance(folded ? folded : 1);
    }
    return code_.substr(offset, position_ - offset);
}

bool Scanner::skip_to_directive() {
    while (position_ < code_.size()) {
        // Only from the start of a line: what follows a directive on its own line was read with it.
        while (position_ < code_.size() && peek() != '\n') advance(1);
        advance(1);
        std::size_t ahead = 0;
        while (peek(ahead) == ' ' || peek(ahead) == '\t') ++ahead;
        if (peek(ahead) == '#') return true;
    }
    return false;
}

}  // namespace xcpp_session
