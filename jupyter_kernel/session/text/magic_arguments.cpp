#include "magic_arguments.hpp"

#include "tokens.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

#include <algorithm>

namespace xcpp_session {
namespace {

using llvm::StringRef;

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

std::string needs_a_name(const Magic& magic) {
    return magic.name + " needs the name of a file. Use: " + magic.kind->usage;
}

}  // namespace

void read_timeit_statement(Magic& magic, std::string_view rest) {
    const StringRef statement = read_timeit_options(magic, rest);
    magic.body = statement.str();
    magic.body_column += static_cast<unsigned>(statement.data() - rest.data());
    if (statement.empty())
        magic.error = "%timeit needs a statement to measure. Use: " + magic.kind->usage;
}

void read_timeit_of_cell(Magic& magic, std::string_view rest) {
    const StringRef set_up = read_timeit_options(magic, rest);
    magic.argument_column += static_cast<unsigned>(set_up.data() - rest.data());
    const Tokens tokens = tokenize(set_up);
    if (!tokens.empty())  // without a comment that follows it
        magic.argument = set_up.take_front(tokens[tokens.size() - 1].end()).str();
    if (StringRef(magic.body).trim().empty())
        magic.error = "%%timeit needs statements on the lines after it";
}

void read_file_name(Magic& magic, std::string_view rest) {
    std::vector<std::string> words = split_words(rest);
    const auto option = std::find(words.begin(), words.end(), "-a");
    magic.append = option != words.end();
    if (magic.append) words.erase(option);
    if (words.empty())
        magic.error = needs_a_name(magic);
    else if (words.size() > 1)
        magic.error = magic.name + " takes one file, not " + std::to_string(words.size()) +
                      ". Use: " + magic.kind->usage;
    else
        magic.argument = words[0];
}

void read_program_name(Magic& magic, std::string_view rest) {
    magic.words = split_words(rest);
    const auto option = std::find(magic.words.begin(), magic.words.end(), "--");
    if (option != magic.words.end()) magic.words.erase(option);
    if (magic.words.empty()) {
        magic.error = needs_a_name(magic);
        return;
    }
    magic.argument = magic.words[0];
    magic.words.erase(magic.words.begin());
}

void read_command(Magic& magic, std::string_view rest) {
    std::vector<std::string>& words = magic.words;
    words = split_words(rest);
    const auto option = std::find(words.begin(), words.end(), "--");
    if (option != words.end()) magic.program_arguments.assign(option + 1, words.end());
    words.erase(option, words.end());
    magic.tagged = !words.empty() && words[0] == "--tag";
    if (magic.tagged) words.erase(words.begin());
    if (!words.empty() && words[0][0] == '-')
        magic.error =
            magic.name + " does not know the option " + words[0] + ". Use: " + magic.kind->usage;
    else if (StringRef(magic.body).trim().empty())
        magic.error = magic.name + " needs a program on the lines after it";
}

void use_body(Magic& magic, std::string_view) { magic.argument = magic.body; }

MagicCode timeit_code(const Magic& magic) {
    // What set-up declares is in a block of its own.
    const bool has_set_up = !magic.argument.empty();
    const std::string set_up =
        has_set_up ? "{" + std::string(magic.argument_column - 2, ' ') + magic.argument + "; " : "";
    // The closing brace has its own line: the statement may end in a comment.
    return {set_up + "::xcpp::detail::timeit([&] {\n" + std::string(magic.body_column - 1, ' ') +
                magic.body + "\n;}, " + std::to_string(magic.loops) + ", " +
                std::to_string(magic.repeats) + ");" + (has_set_up ? "}" : ""),
            magic.body_line - 1};
}

}  // namespace xcpp_session
