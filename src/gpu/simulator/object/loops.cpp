#include "loops.hpp"

#include "gpu/source/lexer.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

namespace lanes::gpu::simulator {

namespace {

// Finds statements by their brackets and semicolons alone; everything between is ignored.
class Loops {
public:
    explicit Loops(const std::string& text) {
        for (Token& token : tokenize(text))
            if (token.kind != Token::Kind::directive) tokens_.push_back(std::move(token));
    }

    // The innermost loop that contains all of these lines.
    const Token* around(int first_line, int line) const {
        const Token* found = nullptr;
        for (std::size_t at = 0; at < tokens_.size(); ++at) {
            const Token& token = tokens_[at];
            const bool loop =
                token.is("for") || token.is("do") || (token.is("while") && !ends_a_do(at));
            if (!loop || token.line > first_line) continue;
            // The text may end before the statement does.
            const std::size_t end = std::min(end_of_statement(at), tokens_.size());
            // A loop that begins later is inside.
            if (tokens_[end - 1].line >= line) found = &token;
        }
        return found;
    }

private:
    bool is(std::size_t at, const char* what) const {
        return at < tokens_.size() && tokens_[at].is(what);
    }

    std::size_t end_of_brackets(std::size_t at) const {
        int depth = 0;
        for (; at < tokens_.size(); ++at) {
            if (is(at, "(") || is(at, "{") || is(at, "[")) ++depth;
            if ((is(at, ")") || is(at, "}") || is(at, "]")) && --depth <= 0) return at + 1;
        }
        return at;
    }

    std::size_t end_of_statement(std::size_t at) const {
        if (is(at, "{")) return end_of_brackets(at);
        // The end of the `while (…)` that closes the do.
        if (is(at, "do")) return end_of_brackets(end_of_statement(at + 1) + 1);
        if (is(at, "for") || is(at, "while") || is(at, "switch") || is(at, "if")) {
            std::size_t open = at + 1;
            while (open < tokens_.size() && !is(open, "(")) ++open;  // if constexpr (
            const std::size_t end = end_of_statement(end_of_brackets(open));
            return is(at, "if") && is(end, "else") ? end_of_statement(end + 1) : end;
        }
        while (at < tokens_.size() && !is(at, ";"))
            at = is(at, "(") || is(at, "{") || is(at, "[") ? end_of_brackets(at) : at + 1;
        return at < tokens_.size() ? at + 1 : at;
    }

    bool ends_a_do(std::size_t at) const {
        for (std::size_t begin = 0; begin < at; ++begin)
            if (is(begin, "do") && end_of_statement(begin + 1) == at) return true;
        return false;
    }

    std::vector<Token> tokens_;
};

int column_of(const std::string& text, int line, const std::string& word) {
    std::istringstream in(text);
    std::string content;
    for (int i = 0; i < line; ++i) std::getline(in, content);
    const auto part_of_word = [&](std::size_t at) {
        return at < content.size() &&
               (std::isalnum(static_cast<unsigned char>(content[at])) || content[at] == '_');
    };
    for (std::size_t at = content.find(word); at != std::string::npos;
         at = content.find(word, at + 1))
        if ((at == 0 || !part_of_word(at - 1)) && !part_of_word(at + word.size()))
            return static_cast<int>(at) + 1;
    return 0;
}

bool is_closing_brace(const std::string& text, int line) {
    std::istringstream in(text);
    std::string content;
    for (int i = 0; i < line; ++i) std::getline(in, content);
    const auto first = content.find_first_not_of(" \t");
    return first != std::string::npos && content.substr(first) == "}";
}

}  // namespace

SourceLine loop_around(const std::string& text, int line) {
    const Loops loops(text);
    const Token* loop = line > 0 ? loops.around(line, line) : nullptr;
    // Compilers sometimes give the last jump of a loop the line of the function's closing brace.
    if (!loop && line > 1 && is_closing_brace(text, line)) loop = loops.around(line - 1, line - 1);
    if (!loop) return {};
    return {loop->line, column_of(text, loop->line, loop->text)};
}

bool are_in_one_loop(const std::string& text, int first, int last) {
    return Loops(text).around(first, last) != nullptr;
}

}  // namespace lanes::gpu::simulator
