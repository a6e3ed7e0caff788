#include "completeness.hpp"

#include "completeness_scan.hpp"
#include "magic_lines.hpp"
#include "session/base/one_of.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace xcpp_session {
namespace {

struct Open {
    char bracket;
    ScanToken token;
    std::string_view before;  // the word or operator in front of it: "if" of "if ("
    bool ends_do;             // "} while (": the end of do { }, not the start of a loop
    unsigned indent;          // of its line
};

struct Conditional {
    ScanToken token;
    bool taken;  // one branch was read; the others need not be C++
};

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

char partner(char closing) { return closing == ')' ? '(' : closing == ']' ? '[' : '{'; }

unsigned indent_of_line(std::string_view code, std::size_t offset) {
    std::size_t start = offset;
    while (start > 0 && code[start - 1] != '\n') --start;
    unsigned width = 0;
    for (; start < code.size() && (code[start] == ' ' || code[start] == '\t'); ++start)
        width += code[start] == '\t' ? 4 : 1;
    return width;
}

class Checker {
public:
    explicit Checker(std::string_view code) : code_(code), scanner_(code) {}

    Completeness run() {
        for (;;) {
            const ScanToken token = scanner_.next();
            if (token.kind == ScanKind::end) return at_end();
            if (starts_magic(token, previous_, open_.empty() && !in_template_, code_)) {
                scanner_.skip_line(token.offset);
                previous_ = {};
                continue;
            }
            if (!read(token)) return result_;
            if (token.kind != ScanKind::directive || open_.empty())
                before_previous_ = previous_, previous_ = token;
        }
    }

private:
    // False: result_ says what is wrong.
    bool read(const ScanToken& token) {
        switch (token.kind) {
            case ScanKind::open_comment:
                return stop(CompletenessStatus::incomplete, "the comment /* has no end */", token);
            case ScanKind::open_raw:
                return stop(CompletenessStatus::incomplete,
                            "the raw string has no end: " + end_of_raw(token.text) + " is missing",
                            token);
            case ScanKind::open_string: {
                const bool character = token.text.find('\'') < token.text.find('"');
                return stop(CompletenessStatus::invalid,
                            character ? "the ' that starts here has no closing ' on its line"
                                      : "the string has no closing \" on its line",
                            token);
            }
            case ScanKind::directive:
                return directive(token);
            case ScanKind::word:
                header_ends_ = false;
                break;
            case ScanKind::punctuation:
                return punctuation(token);
            default:
                header_ends_ = false;
        }
        block_of_.clear();
        return true;
    }

    bool punctuation(const ScanToken& token) {
        const char c = token.text.size() == 1 ? token.text[0] : '\0';
        header_ends_ = false;
        block_of_.clear();
        if (c == '/' && previous_.text == "*" && previous_.offset + 1 == token.offset)
            return stop(CompletenessStatus::invalid, "'*/' closes nothing: no comment '/*' is open",
                        previous_);
        count_arguments(c);
        if (c == '<' && previous_.text == "template") {
            in_template_ = true;
            template_open_ = token;
            template_depth_ = open_.size();
            angles_ = 1;
        } else if (in_template_ && open_.size() == template_depth_ && (c == '<' || c == '>')) {
            angles_ += c == '<' ? 1 : -1;
            if (angles_ == 0) in_template_ = false;
        } else if (c == '(' || c == '[' || c == '{') {
            const bool constexpr_if =
                previous_.text == "constexpr" && before_previous_.text == "if";
            const bool ends_do = previous_.text == "while" && before_previous_.text == "}";
            open_.push_back({c, token, constexpr_if ? before_previous_.text : previous_.text,
                             ends_do, indent_of_line(code_, token.offset)});
        } else if (c == ')' || c == ']' || c == '}') {
            return close(token, c);
        }
        return true;
    }

    // std::is_same_v<int, int> ends in no operator.
    void count_arguments(char c) {
        ends_arguments_ = c == '>' && arguments_ > 0;
        if (ends_arguments_) --arguments_;
        if (c == '<' && previous_.kind == ScanKind::word && previous_.text != "template")
            ++arguments_;
        if (c == ';' || c == '{' || c == '}') arguments_ = 0;
    }

    bool close(const ScanToken& token, char c) {
        if (open_.empty())
            return stop(CompletenessStatus::invalid,
                        in_quotes(token.text) + " closes nothing: no " +
                            in_quotes(std::string(1, partner(c))) + " is open",
                        token);
        const Open opened = open_.back();
        if (opened.bracket != partner(c))
            return stop(CompletenessStatus::invalid,
                        in_quotes(token.text) + " does not close the " +
                            in_quotes({&opened.bracket, 1}) + " of line " +
                            std::to_string(opened.token.line),
                        token);
        open_.pop_back();
        if (in_template_ && open_.size() < template_depth_) in_template_ = false;
        if (c == '}') {
            if (token.first_on_line && opened.indent != token.column - 1 &&
                opened.token.line != token.line && suspect_ == 0)
                suspect_ = opened.token.line;
            block_of_ = opened.before;
        }
        static constexpr std::array<std::string_view, 4> headers = {"if", "for", "while", "switch"};
        header_ends_ = c == ')' && one_of(opened.before, headers) && !opened.ends_do;
        return true;
    }

    bool directive(const ScanToken& token) {
        std::size_t start = 1;
        while (start < token.text.size() && (token.text[start] == ' ' || token.text[start] == '\t'))
            ++start;
        std::size_t stop_at = start;
        while (stop_at < token.text.size() && is_word_character(token.text[stop_at])) ++stop_at;
        const std::string_view name = token.text.substr(start, stop_at - start);
        std::string condition(token.text.substr(stop_at));
        condition = condition.substr(0, condition.find("//"));
        condition.erase(std::remove_if(condition.begin(), condition.end(),
                                       [](char c) { return c == ' ' || c == '\t' || c == '\r'; }),
                        condition.end());
        const bool never = condition == "0" || condition == "false";
        if (name == "if" || name == "ifdef" || name == "ifndef") {
            conditionals_.push_back({token, !(name == "if" && never)});
            if (!conditionals_.back().taken) return skip_group();
        } else if (name == "elif" || name == "else" || name == "elifdef" || name == "elifndef") {
            if (conditionals_.empty())
                return stop(CompletenessStatus::invalid,
                            "#" + std::string(name) + " without an #if before it", token);
            if (conditionals_.back().taken || (name == "elif" && never)) return skip_group();
            conditionals_.back().taken = true;
        } else if (name == "endif") {
            if (conditionals_.empty())
                return stop(CompletenessStatus::invalid, "#endif without an #if before it", token);
            conditionals_.pop_back();
        }
        return true;
    }

    // To the #else, #elif or #endif that ends this group, which is read next.
    bool skip_group() {
        int depth = 0;
        while (scanner_.skip_to_directive()) {
            Scanner ahead = scanner_;
            const ScanToken token = ahead.next();
            if (token.kind != ScanKind::directive) continue;
            std::string text(token.text.substr(1));
            text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
            if (text.rfind("if", 0) == 0)
                ++depth;
            else if (text.rfind("endif", 0) == 0 && depth > 0)
                --depth;
            else if ((text.rfind("el", 0) == 0 || text.rfind("endif", 0) == 0) && depth == 0)
                return true;
        }
        return true;
    }

    Completeness at_end() {
        if (!open_.empty()) {
            const Open& opened = open_.back();
            const char missing = opened.bracket == '(' ? ')' : opened.bracket == '[' ? ']' : '}';
            std::string message = in_quotes({&opened.bracket, 1}) + " is never closed: a " +
                                  in_quotes({&missing, 1}) + " is missing";
            if (suspect_ > opened.token.line)
                message += " (by its indentation, the one of line " + std::to_string(suspect_) +
                           " may be meant)";
            stop(CompletenessStatus::incomplete, message, opened.token);
        } else if (in_template_) {
            stop(CompletenessStatus::incomplete, "'<' after template is never closed",
                 template_open_);
        } else if (!conditionals_.empty()) {
            const std::string_view text = conditionals_.back().token.text;
            stop(CompletenessStatus::incomplete,
                 std::string(text.substr(0, text.find_first_of("\r\n"))) + " has no #endif",
                 conditionals_.back().token);
        } else if (const std::size_t last = code_.find_last_not_of(" \t\r\n");
                   last != std::string_view::npos && code_[last] == '\\' &&
                   ends_in_backslash(last)) {
            stop(CompletenessStatus::incomplete,
                 "the cell ends in a backslash, which asks for another line", previous_);
            result_.may_be_parsed = true;
        } else if (wants_more()) {
            stop(CompletenessStatus::incomplete,
                 "the cell ends after " + in_quotes(previous_.text) + ", which asks for more",
                 previous_);
            result_.may_be_parsed = true;
        }
        return result_;
    }

    // In a comment a backslash at the end means nothing.
    bool ends_in_backslash(std::size_t last) const {
        if (previous_.kind == ScanKind::end) return code_.find("//") == std::string_view::npos;
        return code_.find("//", previous_.offset + previous_.text.size()) ==
                   std::string_view::npos &&
               last >= previous_.offset;
    }

    bool wants_more() const {
        static constexpr std::array<std::string_view, 38> operators = {
            "+",  "-",  "*",  "/",  "%",  "=",  "<",  ">",  "&",  "|",   "^",   "!",  "~",
            "?",  ":",  ",",  ".",  "::", "->", "<<", "<=", ">=", "==",  "!=",  "&&", "||",
            "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ".*", "->*", "<<=", ">>="};
        static constexpr std::array<std::string_view, 17> words = {
            "else",   "do",     "try",  "template",  "typename", "class",
            "struct", "union",  "enum", "namespace", "using",    "new",
            "const",  "static", "case", "constexpr", "inline"};
        if (previous_.kind == ScanKind::punctuation) {
            if (header_ends_ && previous_.text == ")") return true;
            if (previous_.text == "}" && (block_of_ == "try" || block_of_ == "do")) return true;
            return one_of(previous_.text, operators) && before_previous_.text != "operator" &&
                   !ends_arguments_;
        }
        return previous_.kind == ScanKind::word && one_of(previous_.text, words);
    }

    static std::string end_of_raw(std::string_view text) {
        const std::size_t quote = text.find('"'), open = text.find('(');
        if (open == std::string_view::npos || open < quote || open - quote > 17)
            return "the ( after its quote";
        return ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
    }

    bool stop(CompletenessStatus status, std::string message, const ScanToken& token) {
        result_ = {status, {}, std::move(message), token.line, token.column, false};
        if (status == CompletenessStatus::incomplete) result_.indent = indent();
        return false;
    }

    // As the last line that holds something, one step deeper if it opened more than it closed.
    std::string indent() const {
        const std::size_t last = code_.find_last_not_of(" \t\r\n");
        if (last == std::string_view::npos) return {};
        const unsigned width = indent_of_line(code_, last);
        const std::size_t newline = code_.rfind('\n', last);
        const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
        const bool deeper = !open_.empty() && open_.back().token.offset >= start;
        return std::string(width + (deeper || open_.empty() ? 4 : 0), ' ');
    }

    std::string_view code_;
    Scanner scanner_;
    ScanToken previous_, before_previous_;
    std::vector<Open> open_;
    std::vector<Conditional> conditionals_;
    bool in_template_ = false;
    ScanToken template_open_;
    std::size_t template_depth_ = 0;
    int angles_ = 0;
    int arguments_ = 0;            // "<" behind words of this statement that are not closed
    bool ends_arguments_ = false;  // the last token closes one of them
    bool header_ends_ = false;     // the last token closes "if (…"
    std::string block_of_;         // the last token closes the block of this word: "try {…}"
    unsigned suspect_ = 0;         // line of a '{' whose '}' is indented differently
    Completeness result_;
};

}  // namespace

Completeness check_completeness(std::string_view code) {
    if (is_cell_magic(code)) return {};
    return Checker(code).run();
}

}  // namespace xcpp_session
