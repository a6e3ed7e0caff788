#include "magic_lines.hpp"

#include "completeness_scan.hpp"
#include "session/base/similar_words.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

namespace xcpp_session {
namespace {

struct Known {
    const char* name;
    MagicKind kind;
    const char* usage;
    const char* meaning;
};

constexpr Known known_magics[] = {
    {"%timeit", MagicKind::timeit, "%timeit [-n N] [-r R] statement",
     "how long a statement takes: N loops, repeated R times"},
    {"%%timeit", MagicKind::cell_timeit, "%%timeit [-n N] [-r R]",
     "the same for the rest of the cell"},
    {"%%file", MagicKind::file, "%%file [-a] name",
     "writes the rest of the cell to a file; -a appends"},
    {"%%writefile", MagicKind::file, "%%writefile [-a] name", "the same"},
    {"%%executable", MagicKind::executable, "%%executable name [-- flags]",
     "makes a program of the rest of the cell"},
    {"%%bash", MagicKind::shell, "%%bash", "runs the rest of the cell with bash"},
    {"%%sh", MagicKind::shell, "%%sh", "runs the rest of the cell with sh"},
    {"%%verbose", MagicKind::verbose, "%%verbose",
     "runs the rest of the cell and shows all that the compiler says"},
    {"%who", MagicKind::who, "%who", "what the session holds, with types and values"},
    {"%undo", MagicKind::undo, "%undo", "takes the last cell back"},
    {"%cd", MagicKind::change_folder, "%cd folder", "changes the working folder"},
    {"%pwd", MagicKind::show_folder, "%pwd", "shows the working folder"},
    {"%env", MagicKind::environment, "%env [NAME[=value]]", "shows or sets environment variables"},
    {"%lsmagic", MagicKind::help, "%lsmagic", "this list"},
    {"%help", MagicKind::help, "%help", "this list"},
};

const Known* find_known(std::string_view name) {
    for (const Known& known : known_magics)
        if (name == known.name) return &known;
    return nullptr;
}

std::string_view trim(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

// Words of a command line; quotes keep spaces.
std::vector<std::string> split_words(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = '\0';
    for (const char c : text) {
        if (quote) {
            if (c == quote)
                quote = '\0';
            else
                word += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
            in_word = true;
        } else if (std::isspace(static_cast<unsigned char>(c))) {
            if (in_word) words.push_back(std::exchange(word, {}));
            in_word = false;
        } else {
            word += c;
            in_word = true;
        }
    }
    if (in_word) words.push_back(word);
    return words;
}

// Reads "-n 10 -r3 …" and gives what follows the options.
std::string_view read_timeit_options(Magic& magic, std::string_view rest) {
    for (;;) {
        rest = trim(rest);
        if (rest.size() < 2 || rest[0] != '-' ||
            (rest[1] != 'n' && rest[1] != 'r' && rest[1] != 'p'))
            return rest;
        const char option = rest[1];
        std::string_view value = rest.substr(2);
        value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
        std::size_t digits = 0;
        while (digits < value.size() && std::isdigit(static_cast<unsigned char>(value[digits])))
            ++digits;
        // "-n" may be C++ as well: a variable n, negated.
        if (digits == 0 ||
            (digits < value.size() && !std::isspace(static_cast<unsigned char>(value[digits]))))
            return rest;
        const long number = std::strtol(std::string(value.substr(0, digits)).c_str(), nullptr, 10);
        if (number <= 0)
            magic.error = magic.name + ": -" + option + " " + std::string(value.substr(0, digits)) +
                          " is not a positive number";
        if (option == 'n') magic.loops = number;
        if (option == 'r') magic.repeats = static_cast<int>(std::min(number, 1000000L));
        rest = value.substr(digits);
    }
}

void read_file_arguments(Magic& magic, std::string_view rest) {
    std::vector<std::string> words = split_words(rest);
    if (const auto dashes = std::find(words.begin(), words.end(), "--");
        dashes != words.end() && magic.kind == MagicKind::executable) {
        magic.flags.assign(dashes + 1, words.end());
        words.erase(dashes, words.end());
    }
    if (const auto append = std::find(words.begin(), words.end(), "-a");
        append != words.end() && magic.kind == MagicKind::file) {
        magic.append = true;
        words.erase(append);
    }
    const Known& known = *find_known(magic.name);
    if (words.empty())
        magic.error = magic.name + " needs the name of a file. Use: " + known.usage;
    else if (words.size() > 1 && magic.kind == MagicKind::file)
        magic.error = magic.name + " takes one file, not " + std::to_string(words.size()) +
                      ". Use: " + known.usage;
    else if (magic.kind == MagicKind::executable)
        magic.flags.insert(magic.flags.begin(), words.begin() + 1, words.end());
    if (!words.empty()) magic.argument = words[0];
}

Magic unknown_magic(std::string name) {
    Magic magic;
    magic.kind = MagicKind::unknown;
    magic.error = "there is no magic " + name;
    const std::string other = name.rfind("%%", 0) == 0 ? name.substr(1) : "%" + name;
    std::vector<std::string> nearest =
        find_known(other) ? std::vector<std::string>{other} : similar_words(name, magic_names());
    if (!nearest.empty()) magic.error += "; did you mean " + nearest[0] + "?";
    magic.error += " %lsmagic lists all of them.";
    magic.name = std::move(name);
    return magic;
}

// `line` starts with %, ! or ?; `body` is what follows it (empty for line magics). The line stands
// on the cell's line `number`.
Magic read_line(std::string_view line, std::string_view body, unsigned number) {
    Magic magic;
    if (line[0] == '!') {
        magic.kind = MagicKind::shell;
        magic.name = "!";
        magic.argument = trim(line.substr(1));
        return magic;
    }
    if (line[0] == '?') {
        magic.kind = MagicKind::inspect;
        magic.detail = line.size() > 1 && line[1] == '?' ? 1 : 0;
        magic.name = magic.detail ? "??" : "?";
        magic.argument = trim(line.substr(magic.name.size()));
        if (magic.argument.empty()) magic.error = "? needs a name, for example ?std::vector";
        return magic;
    }
    std::size_t length = line.find_first_not_of('%');
    while (length < line.size() && is_word_character(line[length])) ++length;
    length = std::min(length, line.size());
    const std::string name(line.substr(0, length));
    const Known* known = find_known(name);
    if (!known) return unknown_magic(name);
    magic.kind = known->kind;
    magic.name = name;
    const std::string_view rest = line.substr(length);
    const bool whole_cell = name.rfind("%%", 0) == 0;
    if (whole_cell) {
        magic.body = body;
        magic.body_line = number + 1;
    }
    switch (magic.kind) {
        case MagicKind::timeit: {
            const std::string_view statement = read_timeit_options(magic, rest);
            magic.body = statement;
            magic.body_line = number;
            magic.body_column =
                statement.empty() ? 1 : static_cast<unsigned>(statement.data() - line.data()) + 1;
            if (statement.empty())
                magic.error =
                    std::string("%timeit needs a statement to measure. Use: ") + known->usage;
            break;
        }
        case MagicKind::cell_timeit: {
            // A statement on the first line is set-up in IPython; there is no use for it here.
            const std::string_view statement = read_timeit_options(magic, rest);
            if (!statement.empty())
                magic.error = "%%timeit takes no statement on its first line; write it on the next";
            else if (trim(body).empty())
                magic.error = "%%timeit needs statements on the lines after it";
            break;
        }
        case MagicKind::file:
        case MagicKind::executable:
            read_file_arguments(magic, rest);
            break;
        case MagicKind::shell:
            magic.argument = body;
            break;
        default:
            magic.argument = trim(rest);
    }
    return magic;
}

// "v.push_back?" as the only line of a cell.
bool is_trailing_question(std::string_view code) {
    code = trim(code);
    if (code.size() < 2 || code.back() != '?' || code.find('\n') != std::string_view::npos)
        return false;
    while (!code.empty() && code.back() == '?') code.remove_suffix(1);
    return !code.empty() && (is_word_character(code[0]) || code[0] == ':') &&
           std::all_of(code.begin(), code.end(), [](char c) {
               return is_word_character(c) ||
                      std::string_view(":.->()[]<>, ").find(c) != std::string_view::npos;
           });
}

bool ends_expression(const ScanToken& token) {
    static constexpr std::string_view more[] = {"return", "else",      "do",       "case",
                                                "throw",  "co_return", "co_await", "co_yield",
                                                "new",    "delete",    "operator"};
    if (token.kind == ScanKind::word)
        return std::find(std::begin(more), std::end(more), token.text) == std::end(more);
    if (token.kind == ScanKind::punctuation) return token.text == ")" || token.text == "]";
    return token.kind == ScanKind::number || token.kind == ScanKind::string;
}

}  // namespace

bool starts_magic(const ScanToken& token, const ScanToken& previous, bool outside_brackets,
                  std::string_view code) {
    if (!token.first_on_line || !outside_brackets || token.kind != ScanKind::punctuation)
        return false;
    const std::string_view text =
        code.substr(token.offset, code.find('\n', token.offset) - token.offset);
    const char second = text.size() > 1 ? text[1] : '\0';
    const bool after_statement = previous.kind == ScanKind::end ||
                                 previous.kind == ScanKind::directive || previous.text == ";" ||
                                 previous.text == "}";
    if (text[0] == '!') return second != '=' && (after_statement || ends_expression(previous));
    if (text[0] == '?') return after_statement;
    if (text[0] != '%' || (second != '%' && !std::isalpha(static_cast<unsigned char>(second))))
        return false;
    if (after_statement) return true;
    // After an expression without its semicolon % could be an operator; then the name of a magic at
    // the very start of a line decides.
    std::size_t length = 1;
    while (length < text.size() && is_word_character(text[length])) ++length;
    return token.column == 1 && ends_expression(previous) && find_known(text.substr(0, length)) &&
           (length == text.size() || text[length] == ' ');
}

bool is_cell_magic(std::string_view code) {
    const ScanToken first = Scanner(code).next();
    return first.kind == ScanKind::punctuation && first.first_on_line &&
           code.substr(first.offset, 2) == "%%";
}

std::vector<Segment> split_magics(std::string_view code) {
    std::vector<Segment> segments;
    if (is_cell_magic(code)) {
        const ScanToken first = Scanner(code).next();
        const std::size_t end = std::min(code.find('\n', first.offset), code.size());
        const std::string_view body = end < code.size() ? code.substr(end + 1) : std::string_view();
        segments.push_back(
            {read_line(trim(code.substr(first.offset, end - first.offset)), body, first.line),
             std::string(code), 1});
        return segments;
    }
    if (is_trailing_question(code)) {
        std::string_view name = trim(code);
        Magic magic;
        magic.kind = MagicKind::inspect;
        magic.detail = name.size() > 2 && name[name.size() - 2] == '?' ? 1 : 0;
        magic.name = magic.detail ? "??" : "?";
        magic.argument = trim(name.substr(0, name.size() - magic.name.size()));
        segments.push_back({magic, std::string(code), 1});
        return segments;
    }
    Scanner scanner(code);
    ScanToken previous;
    std::size_t depth = 0, start = 0;
    unsigned start_line = 1;
    const auto flush = [&](std::size_t end) {
        const std::string_view text = code.substr(start, end - start);
        if (!trim(text).empty()) segments.push_back({{}, std::string(text), start_line});
    };
    for (ScanToken token = scanner.next(); token.kind != ScanKind::end; token = scanner.next()) {
        if (starts_magic(token, previous, depth == 0, code)) {
            std::size_t line_start = token.offset;
            while (line_start > 0 && code[line_start - 1] != '\n') --line_start;
            flush(line_start);
            const std::string_view line = scanner.skip_line(token.offset);
            Magic magic = read_line(trim(line), {}, 1);
            if (magic.body_column > 1) magic.body_column += token.column - 1;
            if (magic.name.rfind("%%", 0) == 0 && magic.kind != MagicKind::unknown)
                magic.error = magic.name + " must be on the first line of its cell";
            segments.push_back({magic, std::string(line), token.line});
            start = std::min(scanner.offset() + 1, code.size());
            start_line =
                token.line + 1 + static_cast<unsigned>(std::count(line.begin(), line.end(), '\n'));
            previous = {};
            continue;
        }
        if (token.text == "(" || token.text == "[" || token.text == "{") ++depth;
        if ((token.text == ")" || token.text == "]" || token.text == "}") && depth > 0) --depth;
        if (token.kind != ScanKind::directive || depth == 0) previous = token;
    }
    flush(code.size());
    if (segments.empty()) segments.push_back({{}, std::string(code), 1});
    return segments;
}

Magic parse_magic(std::string_view code) {
    const std::vector<Segment> segments = split_magics(code);
    if (segments.size() != 1) return {};
    Magic magic = segments[0].magic;
    magic.body_line += segments[0].line - 1;
    return magic;
}

const std::vector<std::string>& magic_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Known& known : known_magics) all.emplace_back(known.name);
        return all;
    }();
    return names;
}

std::string magics_help() {
    std::string text;
    const auto row = [&](const std::string& usage, const char* meaning) {
        text +=
            usage + std::string(usage.size() < 34 ? 34 - usage.size() : 1, ' ') + meaning + "\n";
    };
    for (const Known& known : known_magics) row(known.usage, known.meaning);
    row("!command", "runs a shell command");
    row("?name  or  name?", "what is known about a name; ??name says more");
    return text;
}

std::string timeit_code(const Magic& magic) {
    // The closing brace has its own line: the statement may end in a comment.
    return "::xcpp::detail::timeit([&] {\n" + std::string(magic.body_column - 1, ' ') + magic.body +
           "\n;}, " + std::to_string(magic.loops) + ", " + std::to_string(magic.repeats) + ");";
}

}  // namespace xcpp_session
