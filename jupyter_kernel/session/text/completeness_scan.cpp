#include "completeness_scan.hpp"

#include "directives.hpp"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>
#include <cctype>

namespace xcpp_session {
namespace {

clang::LangOptions language() {
    clang::LangOptions options;
    options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = true;
    options.Bool = options.LineComment = options.RawStringLiterals = true;
    return options;
}

}  // namespace

Scanner::Scanner(std::string_view code)
    : code_(code), text_(std::make_shared<const std::string>(code)) {
    if (code_.substr(0, 3) == "\xEF\xBB\xBF") advance(3);  // the byte order mark of a file
}

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
        if (std::isspace(static_cast<unsigned char>(peek())) || peek() == '\0') {
            advance(1);
        } else if (const std::size_t length = continuation(position_)) {
            const bool empty = line_is_empty_;
            advance(length);
            line_is_empty_ = empty;
        } else if (peek() == '/' && peek(1) == '/') {
            skip_line(position_);
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
            skip_line(position_);
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

// One token by clang's lexer.
ScanKind Scanner::read_token() {
    static const clang::LangOptions options = language();
    const char* const begin = text_->c_str();
    clang::Lexer lexer(clang::SourceLocation(), options, begin, begin + position_,
                       begin + text_->size());
    clang::Token found;
    lexer.LexFromRawLexer(found);
    const std::size_t start = position_;
    // ">>" becomes two tokens: it may close two template argument lists.
    const bool halved = found.is(clang::tok::greatergreater);
    advance(halved ? 1 : static_cast<std::size_t>(lexer.getBufferLocation() - begin) - start);
    if (found.is(clang::tok::eof)) return ScanKind::end;
    if (found.is(clang::tok::raw_identifier)) return ScanKind::word;
    if (found.is(clang::tok::numeric_constant)) return ScanKind::number;
    if (found.isLiteral()) return ScanKind::string;
    const std::string_view text = code_.substr(start, position_ - start);
    const std::size_t quote = text.find_first_of("\"'");
    if (found.isNot(clang::tok::unknown) || quote == std::string_view::npos)
        return ScanKind::punctuation;
    if (text.substr(quote) == "''") return ScanKind::string;  // an error, but not an open quote
    if (quote == 0 || text[quote - 1] != 'R') return ScanKind::open_string;
    advance(code_.size() - position_);
    return ScanKind::open_raw;
}

ScanToken Scanner::next() {
    ScanToken token;
    if (!skip_space(token)) return token;
    token = {
        ScanKind::end, {}, position_, line_, static_cast<unsigned>(position_ - line_start_ + 1),
        line_is_empty_};
    if (position_ >= code_.size()) return token;
    line_is_empty_ = false;
    if (peek() == '#' && token.first_on_line) {
        token.kind = ScanKind::directive;
        read_directive();
    } else {
        token.kind = read_token();
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
