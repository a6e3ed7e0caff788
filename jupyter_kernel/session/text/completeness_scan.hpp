// Reads C++ text token by token with clang's lexer; all others that look at the text of a cell use
// it. Comments are skipped, a directive is one token. Never fails: text that ends inside something
// gives a token that says so. Lines that are no C++ can be skipped.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace xcpp_session {

enum class ScanKind {
    end,
    word,
    number,
    string,       // also raw strings and characters
    punctuation,  // one operator or bracket, as long as C++ takes it: "<<=", "->", "{"
    directive,    // a whole preprocessor line with its continuation lines
    open_string,  // a string or character without its closing quote on the same line
    open_raw,     // a raw string without its end
    open_comment,
};

struct ScanToken {
    ScanKind kind = ScanKind::end;
    std::string_view text;
    std::size_t offset = 0;
    unsigned line = 1;
    unsigned column = 1;
    bool first_on_line = false;
};

class Scanner {
public:
    explicit Scanner(std::string_view code);

    ScanToken next();

    // Goes on behind the line that holds `offset` (a line that is no C++); gives the line's text.
    // No C++ after a backslash either: the line is as long as its continuation.
    std::string_view skip_line(std::size_t offset);

    // From here to the line that starts with # (text inside #if 0 need not be C++); false at the
    // end.
    bool skip_to_directive();

    std::size_t offset() const { return position_; }

private:
    bool skip_space(ScanToken& token);
    void read_directive();
    ScanKind read_token();
    void advance(std::size_t count);
    char peek(std::size_t ahead = 0) const {
        return position_ + ahead < code_.size() ? code_[position_ + ahead] : '\0';
    }
    std::size_t continuation(std::size_t at) const;

    std::string_view code_;
    std::shared_ptr<const std::string> text_;  // the same: clang's lexer wants a terminating zero
    std::size_t position_ = 0;
    unsigned line_ = 1;
    std::size_t line_start_ = 0;
    bool line_is_empty_ = true;  // nothing but space and comments so far on this line
};

bool is_word_character(char c);

}  // namespace xcpp_session
