#include "tokens.hpp"

#include "magic_lines.hpp"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>
#include <cctype>

namespace xcpp_session {
namespace {

clang::LangOptions& language() {
    static clang::LangOptions options = [] {
        clang::LangOptions cpp17;
        cpp17.CPlusPlus = cpp17.CPlusPlus11 = cpp17.CPlusPlus14 = cpp17.CPlusPlus17 = true;
        cpp17.Bool = cpp17.LineComment = cpp17.RawStringLiterals = true;
        return cpp17;
    }();
    return options;
}

// The end of the line at `at`, which is as long as its continuation.
std::size_t line_end(std::string_view code, std::size_t at) {
    for (;; ++at) {
        at = std::min(code.find('\n', at), code.size());
        if (at == code.size() || code[code.find_last_not_of(" \t\r", at - 1)] != '\\') return at;
    }
}

class TokenReader {
public:
    TokenReader(std::string_view code, bool is_cell)
        : code_(code),
          text_(code),
          is_cell_(is_cell),
          lexer_({}, language(), text_.data(), text_.data(), text_.data() + text_.size()) {
        lexer_.SetCommentRetentionState(true);  // see next()
    }

    Tokens read() {
        while (next()) {
            const TokenKind kind = kind_of_found();
            if (found_.is(clang::tok::hash) && first_on_line_) {
                add_directive();
            } else if (kind == TokenKind::mark && is_magic()) {
                // %% on the first line: all of the cell belongs to that magic.
                const bool whole = tokens_.empty() && code_.compare(begin_, 2, "%%") == 0;
                go_on_at(whole ? code_.size() : line_end(code_, begin_));
                add(TokenKind::magic, begin_, end_);
            } else if (found_.is(clang::tok::greatergreater)) {
                go_on_at(begin_ + 1);
                add(kind, begin_, end_);
            } else if (kind != TokenKind::none) {
                add(kind, begin_, end_);
            }
        }
        if (open_comment_ < code_.size()) add(TokenKind::unfinished, open_comment_, code_.size());
        return Tokens(std::move(tokens_));
    }

private:
    // Steps to the next token that is not a comment. False at the end.
    bool next() {
        for (bool after_comment = false;; after_comment = true) {
            const std::size_t before = end_;
            lexer_.LexFromRawLexer(found_);
            end_ = static_cast<std::size_t>(lexer_.getBufferLocation() - text_.data());
            begin_ = end_ - found_.getLength();
            first_on_line_ = found_.isAtStartOfLine() || (after_comment && first_on_line_);
            // All comments are tokens, but one without an end is passed over.
            if (const std::size_t at = code_.substr(0, begin_).find("/*", before);
                at != std::string_view::npos)
                open_comment_ = at;
            if (found_.isNot(clang::tok::comment)) return found_.isNot(clang::tok::eof);
        }
    }

    void go_on_at(std::size_t place) {
        end_ = place;
        lexer_.seek(static_cast<unsigned>(place), false);
    }

    TokenKind kind_of_found() {
        if (found_.is(clang::tok::raw_identifier)) return TokenKind::word;
        if (found_.isLiteral()) return TokenKind::literal;
        if (found_.isNot(clang::tok::unknown)) return TokenKind::mark;
        const std::string_view text = code_.substr(begin_, end_ - begin_);
        if (text == "\\" && code_.find_first_not_of(" \t\r", end_) == std::string_view::npos)
            return TokenKind::none;  // the last line asks for another one
        const std::size_t quote = text.find_first_of("\"'");
        if (quote == std::string_view::npos) return TokenKind::mark;
        if (text.substr(quote) == "''") return TokenKind::literal;  // an error, but not open
        if (quote > 0 && text[quote - 1] == 'R') go_on_at(code_.size());
        return TokenKind::unfinished;
    }

    bool is_magic() const {
        if (!is_cell_ || !first_on_line_ || depth_ > 0) return false;
        const std::string_view line = code_.substr(begin_, code_.find('\n', begin_) - begin_);
        const bool indented = begin_ > 0 && code_[begin_ - 1] != '\n';
        return starts_magic(line, indented, tokens_.empty() ? Token() : tokens_.back());
    }

    void add_directive() {
        const std::size_t begin = begin_;
        lexer_.setParsingPreprocessorDirective(true);
        while (next() && found_.isNot(clang::tok::eod)) {
        }
        first_on_line_ = true;
        add(TokenKind::directive, begin,
            std::min(code_.find_first_of("\r\n", begin_), open_comment_));
    }

    void add(TokenKind kind, std::size_t begin, std::size_t end) {
        const std::string_view between = code_.substr(position_, begin - position_);
        line_ += static_cast<unsigned>(std::count(between.begin(), between.end(), '\n'));
        position_ = begin;
        const std::size_t line_start = code_.substr(0, begin).rfind('\n') + 1;
        const Token token = {kind,
                             code_.substr(begin, end - begin),
                             begin,
                             line_,
                             static_cast<unsigned>(begin - line_start + 1),
                             first_on_line_};
        if (token.opens()) ++depth_;
        if (token.closes() && depth_ > 0) --depth_;
        tokens_.push_back(token);
    }

    const std::string_view code_;
    const std::string text_;  // the same: the lexer wants a terminating zero
    const bool is_cell_;
    clang::Lexer lexer_;
    clang::Token found_;  // the last that was read, at [begin_, end_)
    std::size_t begin_ = 0, end_ = 0;
    bool first_on_line_ = false;
    std::size_t open_comment_ = std::string_view::npos;  // a comment without an end
    std::size_t position_ = 0;                           // of the last token in the list
    unsigned line_ = 1;                                  // its line
    int depth_ = 0;                                      // of brackets
    std::vector<Token> tokens_;
};

}  // namespace

void use_language_standard(std::string_view standard) {
    clang::LangOptions& options = language();
    const std::string_view year =
        standard.substr(std::min(standard.find("++") + 2, standard.size()));
    options.CPlusPlus20 = year >= "20" && year[0] != '9';  // "98" is before "11"
    options.CPlusPlus23 = options.CPlusPlus20 && year >= "23";
    options.CPlusPlus26 = options.CPlusPlus20 && year >= "26";
}

const Token Tokens::no_token_;

bool Token::is_one_of(std::initializer_list<std::string_view> words) const {
    return kind != TokenKind::literal && std::find(words.begin(), words.end(), text) != words.end();
}

std::size_t Tokens::closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < size(); ++i) {
        if (list_[i].opens()) ++depth;
        if (list_[i].closes() && --depth == 0) return i;
    }
    return size();
}

std::size_t Tokens::closing_angle(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < size(); i = after(i)) {
        const Token& token = list_[i];
        if (token.is("<")) ++depth;
        if (token.is(">") && --depth == 0) return i;
        if (token.is_one_of({";", ")", "]", "}", "||"})) return open;
        const bool reference = (*this)[i + 1].is_one_of({",", ">", "..."});
        if (token.is("&&") && !reference) return open;
    }
    return open;
}

std::size_t Tokens::find(std::size_t at, std::initializer_list<std::string_view> words) const {
    while (at < size() && !list_[at].is_one_of(words)) at = after(at);
    return std::min(at, size());
}

void Tokens::remove(std::size_t begin, std::size_t end) {
    list_.erase(
        std::remove_if(list_.begin(), list_.end(),
                       [=](const Token& one) { return one.begin >= begin && one.end() <= end; }),
        list_.end());
}

Tokens tokenize(std::string_view code) { return TokenReader(code, false).read(); }

Tokens tokenize_cell(std::string_view code) { return TokenReader(code, true).read(); }

bool is_word_character(char c) {
    // Bytes above 127 belong to letters of other alphabets.
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}

void SourceText::blank(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
        if ((*code_)[i] != '\n') (*code_)[i] = ' ';
    tokens_.remove(begin, end);
}

}  // namespace xcpp_session
