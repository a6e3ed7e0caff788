// %%executable: a program of its own from a cell.
#include "magics_process.hpp"
#include "magics_run.hpp"
#include "session/base/cell_names.hpp"
#include "session/split/cell.hpp"

#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace xcpp_session {
namespace {

// A text with main() as it is. Of any other the statements become the body of main(), definitions
// and variables stand before it, every piece under its own line number.
std::string program_of(const std::string& source, unsigned first_line, const std::string& file) {
    const auto marker = [&](unsigned line) {
        return "#line " + std::to_string(first_line + line - 1) + " \"" + file + "\"\n";
    };
    const Cell cell(source, Names());
    const Tokens& tokens = cell.tokens;
    for (std::size_t i = 0; i < tokens.size(); i = tokens.after(i))
        if (tokens[i].is("main") && tokens[i + 1].is("(")) return marker(1) + source + "\n";
    std::string outside, inside;
    for (const Piece& piece : cell.pieces) {
        const Token& first = tokens[piece.first];
        const bool runs = piece.kind == PieceKind::statement || piece.kind == PieceKind::value;
        (runs ? inside : outside) += marker(first.line) + std::string(first.column - 1, ' ') +
                                     std::string(cell.original(piece.first, piece.last)) + "\n";
    }
    return outside + "int main() {\n" + inside + ";\n}\n";
}

// Arguments that mean something only inside the interpreter are left out.
std::vector<std::string> for_a_program(const std::vector<std::string>& arguments) {
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument == "-Xclang" || argument == "-include-pch" || argument == "-resource-dir")
            ++i;
        else if (argument != "-D__CLING__" && argument != "-D__CLING__=1")
            kept.push_back(argument);
    }
    return kept;
}

// "In[5]:3:7: error: x" -> "line 3: x"
std::string first_error(llvm::StringRef words, int cell) {
    const auto [before, behind] = words.split("error: ");
    if (behind.empty()) return words.split('\n').first.str();
    std::string message = behind.split('\n').first.str();
    llvm::StringRef place = before.substr(before.rfind('\n') + 1);
    if (!place.consume_front(cell_file_name(cell) + ":")) return message;
    return "line " + place.split(':').first.str() + ": " + message;
}

}  // namespace

MagicOutcome build_executable(const Magic& magic, int cell,
                              const std::vector<std::string>& compiler_arguments,
                              Interrupted interrupted) {
    // If this process is killed before it removes the folder, the front does.
    const char* base = std::getenv("XCPP_TEMPORARY");
    llvm::SmallString<128> folder;
    if (const std::error_code error = llvm::sys::fs::createUniqueDirectory(
            base ? base + std::string("/xcpp") : "xcpp", folder))
        return {false, "", "FileError", "cannot write a temporary file: " + error.message()};
    // NOLINTNEXTLINE(bugprone-unused-return-value): the front would remove it, too
    const auto cleaner = llvm::make_scope_exit([&] { llvm::sys::fs::remove_directories(folder); });
    const std::string temporary = folder.str().str();
    const std::string source = temporary + "/cell.cpp", output = temporary + "/output";
    std::ofstream(source) << magic.prelude << "\n"
                          << program_of(magic.body, magic.body_line, cell_file_name(cell));
    std::vector<std::string> command = {"env", "TMPDIR=" + temporary, "clang++-19"};
    for (std::string& argument : for_a_program(compiler_arguments))
        command.push_back(std::move(argument));
    command.insert(command.end(), {"-Wno-unknown-pragmas", "-fno-caret-diagnostics", source, "-o",
                                   magic.argument});
    command.insert(command.end(), magic.flags.begin(), magic.flags.end());
    const ProcessEnd end = run_process(command, interrupted, output);
    std::ostringstream words_of_compiler;
    words_of_compiler << std::ifstream(output).rdbuf();
    const std::string words = words_of_compiler.str();
    if (end.interrupted) return {false, "", "Interrupted", "the compiler was interrupted"};
    if (!end.error.empty() || end.status == 127)
        return {false, "", "CompileError", "cannot start clang++-19: " + end.error + words};
    if (end.status != 0) return {false, words, "CompileError", first_error(words, cell)};
    return {true, words + "Writing executable to " + magic.argument + "\n"};
}

}  // namespace xcpp_session
