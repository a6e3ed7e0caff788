#include "completeness.hpp"

#include "directives.hpp"

#include <string>
#include <vector>

namespace xcpp_session {
namespace {

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

// The other one of a pair of brackets.
std::string_view partner(std::string_view bracket) {
    constexpr std::string_view pairs[] = {"()", "[]", "{}"};
    for (const std::string_view pair : pairs)
        if (const std::size_t at = pair.find(bracket); at < 2) return pair.substr(1 - at, 1);
    return {};
}

unsigned indent_of_line(std::string_view code, std::size_t offset) {
    unsigned width = 0;
    for (std::size_t at = code.substr(0, offset).rfind('\n') + 1;
         at < code.size() && (code[at] == ' ' || code[at] == '\t'); ++at)
        width += code[at] == '\t' ? 4 : 1;
    return width;
}

// #if 0, #elif false: that branch need not be C++.
bool never_holds(const Token& token) {
    const auto [name, rest] = directive_of(token);
    const Tokens words = tokenize(rest);
    return (name == "if" || name == "elif") && words.size() == 1 &&
           (words[0].text == "0" || words[0].text == "false");
}

class Checker {
public:
    explicit Checker(const SourceText& source) : code_(source.code()), tokens_(source.tokens()) {}

    Completeness run() {
        if (tokens_[0].kind == TokenKind::magic && tokens_[0].text.substr(0, 2) == "%%")
            return {};  // all of the cell is that magic's
        while (at_ < tokens_.size()) {
            const Token& token = tokens_[at_];
            if (token.kind == TokenKind::unfinished)
                unfinished(token);
            else if (token.kind == TokenKind::directive)
                directive(token);
            else if (token.kind == TokenKind::mark)
                mark(token);
            if (!result_.may_be_parsed) return result_;
            ++at_;
        }
        at_end();
        return result_;
    }

private:
    void unfinished(const Token& token) {
        const std::size_t quote = token.text.find_first_of("\"'");
        if (token.text.substr(0, 2) == "/*")
            stop(CompletenessStatus::incomplete, "the comment /* has no end */", token);
        else if (quote > 0 && token.text[quote - 1] == 'R')
            stop(CompletenessStatus::incomplete,
                 "the raw string has no end: " + end_of_raw(token.text) + " is missing", token);
        else
            stop(CompletenessStatus::invalid,
                 token.text[quote] == '\'' ? "the ' that starts here has no closing ' on its line"
                                           : "the string has no closing \" on its line",
                 token);
    }

    static std::string end_of_raw(std::string_view text) {
        const std::size_t quote = text.find('"'), open = text.find('(');
        if (open == std::string_view::npos || open < quote || open - quote > 17)
            return "the ( after its quote";
        return ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
    }

    void mark(const Token& token) {
        const Token& previous = tokens_[at_ - 1];
        if (token.is("/") && previous.is("*") && previous.end() == token.begin)
            stop(CompletenessStatus::invalid, "'*/' closes nothing: no comment '/*' is open",
                 previous);
        else if (token.is("<") && previous.is("template") && !closes_template(at_))
            open_template_ = at_;
        else if (token.opens())
            open_.push_back(at_);
        else if (token.closes())
            close(token);
    }

    // Is there a > for the < at `at`, inside of the same bracket?
    bool closes_template(std::size_t at) const {
        int depth = 0;
        for (; at < tokens_.size(); at = tokens_.after(at)) {
            if (tokens_[at].is("<")) ++depth;
            if (tokens_[at].closes() || (tokens_[at].is(">") && --depth == 0)) return true;
        }
        return false;
    }

    void close(const Token& token) {
        const std::string_view wanted = partner(token.text);
        if (open_.empty())
            return stop(
                CompletenessStatus::invalid,
                in_quotes(token.text) + " closes nothing: no " + in_quotes(wanted) + " is open",
                token);
        last_closed_ = open_.back();
        const Token& opened = tokens_[last_closed_];
        if (!opened.is(wanted))
            return stop(CompletenessStatus::invalid,
                        in_quotes(token.text) + " does not close the " + in_quotes(opened.text) +
                            " of line " + std::to_string(opened.line),
                        token);
        open_.pop_back();
        if (token.is("}") && token.first_on_line && opened.line != token.line && suspect_ == 0 &&
            indent_of_line(code_, opened.begin) != token.column - 1)
            suspect_ = opened.line;
    }

    void directive(const Token& token) {
        const Branch branch = branch_of(token);
        if (branch == Branch::none) return;
        if (branch == Branch::opens) {
            conditions_.push_back({&token, false});
        } else if (conditions_.empty()) {
            return stop(CompletenessStatus::invalid,
                        "#" + std::string(directive_of(token).name) + " without an #if before it",
                        token);
        }
        Condition& condition = conditions_.back();
        if (branch == Branch::ends)
            conditions_.pop_back();
        else if (condition.taken || never_holds(token))
            at_ = next_branch(tokens_, at_) - 1;
        else
            condition.taken = true;
    }

    void at_end() {
        const std::size_t last = code_.find_last_not_of(" \t\r\n");
        if (!open_.empty()) {
            const Token& opened = tokens_[open_.back()];
            std::string message = in_quotes(opened.text) + " is never closed: a " +
                                  in_quotes(partner(opened.text)) + " is missing";
            if (suspect_ > opened.line)
                message += " (by its indentation, the one of line " + std::to_string(suspect_) +
                           " may be meant)";
            stop(CompletenessStatus::incomplete, message, opened);
        } else if (open_template_ < tokens_.size()) {
            stop(CompletenessStatus::incomplete, "'<' after template is never closed",
                 tokens_[open_template_]);
        } else if (!conditions_.empty()) {
            const Token& line = *conditions_.back().line;
            stop(CompletenessStatus::incomplete,
                 std::string(line.text.substr(0, line.text.find_first_of("\r\n"))) +
                     " has no #endif",
                 line);
        } else if (last != std::string_view::npos && code_[last] == '\\' &&
                   // in a comment it means nothing
                   code_.find("//", tokens_.back().end()) == std::string_view::npos) {
            stop(CompletenessStatus::incomplete,
                 "the cell ends in a backslash, which asks for another line", tokens_.back());
            result_.may_be_parsed = true;
        } else if (wants_more()) {
            stop(CompletenessStatus::incomplete,
                 "the cell ends after " + in_quotes(tokens_.back().text) + ", which asks for more",
                 tokens_.back());
            result_.may_be_parsed = true;
        }
    }

    bool wants_more() const {
        const Token& last = tokens_.back();
        if (last.kind == TokenKind::magic) return false;
        if (last.closes()) {  // if (…), do {…}
            const Token& before = tokens_[last_closed_ - 1];
            const Token& statement = before.is("constexpr") ? tokens_[last_closed_ - 2] : before;
            const bool ends_do = before.is("while") && tokens_[last_closed_ - 2].is("}");
            return last.is(")") ? statement.is_one_of({"if", "for", "while", "switch"}) && !ends_do
                                : last.is("}") && before.is_one_of({"try", "do"});
        }
        if (last.is(">"))  // std::is_same_v<int, int> ends in no operator
            for (std::size_t i = 0; i < tokens_.size(); ++i)
                if (tokens_[i].is("<") && tokens_[i - 1].is_word() &&
                    !tokens_[i - 1].is("template") &&
                    tokens_.closing_angle(i) + 1 == tokens_.size())
                    return false;
        return last.is_one_of(
                   {"+",        "-",     "*",      "/",     "%",         "=",         "<",
                    ">",        "&",     "|",      "^",     "!",         "~",         "?",
                    ":",        ",",     ".",      "::",    "->",        "<<",        "<=",
                    ">=",       "==",    "!=",     "&&",    "||",        "+=",        "-=",
                    "*=",       "/=",    "%=",     "&=",    "|=",        "^=",        ".*",
                    "->*",      "<<=",   ">>=",    "else",  "do",        "try",       "template",
                    "typename", "class", "struct", "union", "enum",      "namespace", "using",
                    "new",      "const", "static", "case",  "constexpr", "inline"}) &&
               !tokens_[tokens_.size() - 2].is("operator");
    }

    void stop(CompletenessStatus status, std::string message, const Token& token) {
        result_ = {status, {}, std::move(message), token.line, token.column, false};
        if (status == CompletenessStatus::incomplete) result_.indent = indent();
    }

    // As the last line that holds something, one step deeper if it opened more than it closed.
    std::string indent() const {
        const std::size_t last = code_.find_last_not_of(" \t\r\n");
        if (last == std::string_view::npos) return {};
        const std::size_t start = code_.substr(0, last).rfind('\n') + 1;
        const bool deeper = open_.empty() || tokens_[open_.back()].begin >= start;
        return std::string(indent_of_line(code_, last) + (deeper ? 4 : 0), ' ');
    }

    struct Condition {
        const Token* line;
        bool taken;  // one branch was read; the others need not be C++
    };

    const std::string_view code_;
    const Tokens& tokens_;
    std::size_t at_ = 0;
    std::vector<std::size_t> open_;  // brackets
    std::size_t last_closed_ = 0;    // the opening bracket
    std::size_t open_template_ = std::string_view::npos;
    std::vector<Condition> conditions_;
    unsigned suspect_ = 0;  // line of a '{' whose '}' is indented differently
    Completeness result_;
};

}  // namespace

Completeness check_completeness(const SourceText& source) { return Checker(source).run(); }

}  // namespace xcpp_session
