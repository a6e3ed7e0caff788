#include "magic_lines.hpp"

#include "session/base/similar_words.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

#include <algorithm>
#include <stdexcept>

namespace xcpp_session {
namespace {

using llvm::StringRef;

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

const Known* find_known(StringRef name) {
    for (const Known& known : known_magics)
        if (name == known.name) return &known;
    return nullptr;
}

bool is_magic_name(StringRef name) { return find_known(name) || find_library_magic(name); }

// Words of a command line; quotes keep spaces.
std::vector<std::string> split_words(StringRef text) {
    llvm::BumpPtrAllocator memory;
    llvm::StringSaver saver(memory);
    llvm::SmallVector<const char*, 8> words;
    llvm::cl::TokenizeGNUCommandLine(text, saver, words);
    return {words.begin(), words.end()};
}

// Reads "-n 10 -r3 …" and gives what follows the options.
StringRef read_timeit_options(Magic& magic, StringRef rest) {
    for (;;) {
        rest = rest.trim();
        StringRef value = rest;
        if (!value.consume_front("-n") && !value.consume_front("-r") && !value.consume_front("-p"))
            return rest;
        const StringRef digits = value.ltrim().take_while(llvm::isDigit);
        value = value.ltrim().drop_front(digits.size());
        // "-n" may be C++ as well: a variable n, negated.
        if (digits.empty() || (!value.empty() && !llvm::isSpace(value[0]))) return rest;
        long number = 0;
        if (digits.getAsInteger(10, number) || number <= 0)
            magic.error = magic.name + ": " + rest.take_front(2).str() + " " + digits.str() +
                          " is not a positive number";
        if (rest[1] == 'n') magic.loops = number;
        if (rest[1] == 'r') magic.repeats = static_cast<int>(std::min(number, 1000000L));
        rest = value;
    }
}

void read_file_arguments(Magic& magic, StringRef rest, const std::string& usage) {
    std::vector<std::string> words = split_words(rest);
    const bool program = magic.kind == MagicKind::executable;
    const auto option = std::find(words.begin(), words.end(), program ? "--" : "-a");
    magic.append = !program && option != words.end();
    if (option != words.end()) words.erase(option);
    if (words.empty())
        magic.error = magic.name + " needs the name of a file. Use: " + usage;
    else if (words.size() > 1 && !program)
        magic.error =
            magic.name + " takes one file, not " + std::to_string(words.size()) + ". Use: " + usage;
    if (words.empty()) return;
    magic.argument = words[0];
    if (program) magic.flags.assign(words.begin() + 1, words.end());
}

Magic unknown_magic(std::string name) {
    Magic magic;
    magic.kind = MagicKind::unknown;
    magic.error = "there is no magic " + name;
    const std::string other = name.rfind("%%", 0) == 0 ? name.substr(1) : "%" + name;
    std::vector<std::string> nearest =
        is_magic_name(other) ? std::vector<std::string>{other} : similar_words(name, magic_names());
    if (!nearest.empty()) magic.error += "; did you mean " + nearest[0] + "?";
    magic.error += " %lsmagic lists all of them.";
    magic.name = std::move(name);
    return magic;
}

Magic inspection(StringRef name, bool detailed) {
    Magic magic;
    magic.kind = MagicKind::inspect;
    magic.detail = detailed ? 1 : 0;
    magic.name = detailed ? "??" : "?";
    magic.argument = name.trim().str();
    if (magic.argument.empty()) magic.error = "? needs a name, for example ?std::vector";
    return magic;
}

// "%timeit", "%%file"
StringRef name_of(StringRef line) {
    const StringRef signs = line.take_while([](char c) { return c == '%'; });
    return line.take_front(signs.size() +
                           line.drop_front(signs.size()).take_while(is_word_character).size());
}

Magic read_magic(const Token& token, bool first_of_cell) {
    Magic magic;
    const StringRef text = token.text;
    if (text[0] == '?') {
        const bool detailed = text.starts_with("??");
        return inspection(text.drop_front(detailed ? 2 : 1), detailed);
    }
    if (text[0] == '!') {
        magic.kind = MagicKind::shell;
        magic.name = "!";
        magic.argument = text.drop_front().trim().str();
        return magic;
    }
    const bool of_cell = text.starts_with("%%");
    const StringRef name = name_of(text);
    const Known* known = find_known(name);
    if (!known && !find_library_magic(name)) return unknown_magic(name.str());
    magic.kind = known ? known->kind : MagicKind::library;
    magic.name = name.str();
    magic.body_line = of_cell ? token.line + 1 : token.line;
    const auto [line, body] = of_cell ? text.split('\n') : std::pair(text, StringRef());
    const StringRef rest = line.drop_front(name.size()).trim();
    magic.body = body.str();
    switch (magic.kind) {
        case MagicKind::timeit: {
            const StringRef statement = read_timeit_options(magic, rest);
            magic.body = statement.str();
            magic.body_column =
                token.column + static_cast<unsigned>(statement.data() - line.data());
            if (statement.empty())
                magic.error =
                    std::string("%timeit needs a statement to measure. Use: ") + known->usage;
            break;
        }
        case MagicKind::cell_timeit:
            // A statement on the first line is set-up in IPython; there is no use for it here.
            if (!read_timeit_options(magic, rest).empty())
                magic.error = "%%timeit takes no statement on its first line; write it on the next";
            else if (body.trim().empty())
                magic.error = "%%timeit needs statements on the lines after it";
            break;
        case MagicKind::file:
        case MagicKind::executable:
            read_file_arguments(magic, rest, known->usage);
            break;
        case MagicKind::shell:
            magic.argument = body.str();
            break;
        default:
            magic.argument = rest.str();
    }
    if (of_cell && !first_of_cell)
        magic.error = magic.name + " must be on the first line of its cell";
    return magic;
}

// "v.push_back?" as the only line of a cell.
bool is_trailing_question(StringRef code) {
    const StringRef name = code.rtrim('?');
    return name.size() < code.size() && !name.empty() &&
           (is_word_character(name[0]) || name[0] == ':') &&
           llvm::all_of(
               name,
               [](char c) {
                   return is_word_character(c) || StringRef(":.->()[]<>, ").contains(c);
               });
}

bool ends_expression(const Token& token) {
    if (token.is_word())
        return !token.is_one_of({"return", "else", "do", "case", "throw", "co_return", "co_await",
                                 "co_yield", "new", "delete", "operator"});
    return token.kind == TokenKind::literal || token.is_one_of({")", "]"});
}

}  // namespace

bool starts_magic(std::string_view line, bool indented, const Token& previous) {
    const char second = line.size() > 1 ? line[1] : '\0';
    const bool after_statement =
        previous.kind == TokenKind::none || previous.kind == TokenKind::directive ||
        previous.kind == TokenKind::magic || previous.is_one_of({";", "}"});
    if (line[0] == '!') return second != '=' && (after_statement || ends_expression(previous));
    if (line[0] == '?') return after_statement;
    if (line[0] != '%' || (second != '%' && !llvm::isAlpha(second))) return false;
    if (after_statement) return true;
    // After an expression without its semicolon % could be an operator; then the name of a magic at
    // the very start of a line decides.
    const StringRef name = name_of(line);
    return !indented && ends_expression(previous) && is_magic_name(name) &&
           (name.size() == line.size() || line[name.size()] == ' ');
}

std::vector<Segment> split_magics(const std::string& code) {
    std::vector<Segment> segments;
    if (const StringRef line = StringRef(code).trim(); is_trailing_question(line)) {
        segments.push_back({inspection(line.rtrim('?'), line.ends_with("??"))});
        return segments;
    }
    SourceText source(code, tokenize_cell);
    std::size_t start = 0;
    unsigned start_line = 1;
    const auto add_cpp = [&](std::size_t end) {
        SourceText part(code.substr(start, end - start));
        if (!part.tokens().empty()) segments.push_back({{}, std::move(part), start_line});
    };
    for (const Token& token : source.tokens()) {
        if (token.kind != TokenKind::magic) continue;
        add_cpp(token.begin + 1 - token.column);
        segments.push_back({read_magic(token, token.begin == source.tokens()[0].begin)});
        start = std::min(token.end() + 1, code.size());
        start_line = token.line + 1 + static_cast<unsigned>(StringRef(token.text).count('\n'));
    }
    if (segments.empty())  // C++ alone
        segments.push_back({{}, std::move(source), 1});
    else
        add_cpp(code.size());
    return segments;
}

Magic parse_magic(const std::string& code) {
    const std::vector<Segment> segments = split_magics(code);
    return segments.size() == 1 ? segments[0].magic : Magic();
}

std::vector<std::string> magic_names() {
    std::vector<std::string> names;
    for (const Known& known : known_magics) names.emplace_back(known.name);
    for (const LibraryMagic& magic : library_magics()) names.push_back(magic.name);
    return names;
}

std::string magics_help() {
    std::string text;
    const auto row = [&](const std::string& usage, const std::string& meaning) {
        text +=
            usage + std::string(usage.size() < 34 ? 34 - usage.size() : 1, ' ') + meaning + "\n";
    };
    for (const Known& known : known_magics) row(known.usage, known.meaning);
    for (const LibraryMagic& magic : library_magics()) row(magic.usage, magic.meaning);
    row("!command", "runs a shell command");
    row("?name  or  name?", "what is known about a name; ??name says more");
    return text;
}

std::string timeit_code(const Magic& magic) {
    // The closing brace has its own line: the statement may end in a comment.
    return "::xcpp::detail::timeit([&] {\n" + std::string(magic.body_column - 1, ' ') + magic.body +
           "\n;}, " + std::to_string(magic.loops) + ", " + std::to_string(magic.repeats) + ");";
}

std::string library_code(const Magic& magic) {
    const LibraryMagic* library = find_library_magic(magic.name);
    if (!library) throw std::runtime_error("there is no magic " + magic.name);
    int failed = 0;
    const char* code =
        library->translate(magic.argument.c_str(), magic.body.c_str(), &failed, library->user);
    if (failed != 0 || !code)
        throw std::runtime_error(magic.name + ": " + (code ? code : "the library gave no code"));
    return code;
}

bool add_library_magic(LibraryMagic magic) {
    const StringRef name = magic.name;
    const bool is_word = name.starts_with("%%") && name.size() > 2 && name_of(name) == name &&
                         is_word_character(name[2]);
    if (!magic.translate || !is_word || find_known(name)) return false;
    keep_library_magic(std::move(magic));
    return true;
}

}  // namespace xcpp_session
