#include "program_build.hpp"

#include "magics_process.hpp"
#include "session/base/cell_names.hpp"
#include "session/clang/diagnostics/diagnostics_picture.hpp"
#include "session/split/cell.hpp"

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

// The session's precompiled header declares much that no cell has included.
bool may_lack_an_include(llvm::StringRef words) {
    for (const char* space : {"std", "xt", "lanes", "xw"})
        for (const char* what :
             {"undeclared identifier '", "in namespace '", "undefined template '"})
            if (words.contains(std::string(what) + space)) return true;
    return false;
}

}  // namespace

ScratchFolder::ScratchFolder() {
    const char* base = std::getenv("XCPP_TEMPORARY");
    llvm::SmallString<128> folder;
    if (const std::error_code error = llvm::sys::fs::createUniqueDirectory(
            base ? base + std::string("/xcpp") : "xcpp", folder))
        error_ = "cannot write a temporary file: " + error.message();
    else
        path_ = folder.str().str();
}

ScratchFolder::~ScratchFolder() {
    // NOLINTNEXTLINE(bugprone-unused-return-value): the front would remove it, too
    if (!path_.empty()) llvm::sys::fs::remove_directories(path_);
}

std::string program_source(const Magic& magic, const ProgramParts& parts) {
    return parts.prelude + "\n" +
           program_of(magic.body, magic.body_line, cell_file_name(parts.cell));
}

MagicOutcome run_compiler(const ProgramParts& parts, const std::vector<std::string>& more,
                          const ScratchFolder& folder) {
    const std::string output = folder.path() + "/output";
    ProcessPlan plan;
    plan.arguments = {"clang++-19"};
    plan.environment = {"TMPDIR=" + folder.path()};
    plan.output = output;
    for (std::string& argument : for_a_program(parts.arguments))
        plan.arguments.push_back(std::move(argument));
    plan.arguments.emplace_back("-fno-caret-diagnostics");
    plan.arguments.insert(plan.arguments.end(), more.begin(), more.end());
    const ProcessEnd end = run_process(plan, parts.interrupted);
    std::ostringstream words_of_compiler;
    words_of_compiler << std::ifstream(output).rdbuf();
    const std::string words = words_of_compiler.str();
    if (end.interrupted) return {false, "", "Interrupted", "the compiler was interrupted"};
    if (!end.error.empty())
        return {false, "", "CompileError", "cannot start clang++-19: " + end.error};
    if (end.status == 0) return {true, words};
    MagicOutcome failed{false, words, "CompileError", first_error(words, parts.cell)};
    if (may_lack_an_include(words))
        failed.traceback = {
            hint_line("a session has the usual headers from the start, a program only those that "
                      "its cells include: write the #include, such as #include <vector>, above "
                      "the line that is named.")};
    return failed;
}

MagicOutcome build_executable(const Magic& magic, const ProgramParts& parts) {
    const ScratchFolder folder;
    if (!folder.error().empty()) return {false, "", "FileError", folder.error()};
    const std::string source = folder.path() + "/cell.cpp";
    std::ofstream(source) << program_source(magic, parts);
    std::vector<std::string> more = {"-Wno-unknown-pragmas", source, "-o", magic.argument};
    more.insert(more.end(), magic.words.begin(), magic.words.end());
    MagicOutcome outcome = run_compiler(parts, more, folder);
    if (outcome.ok) outcome.output += "Writing executable to " + magic.argument + "\n";
    return outcome;
}

}  // namespace xcpp_session
