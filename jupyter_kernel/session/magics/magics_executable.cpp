// %%executable: a program of its own from a cell.
#include "magics_process.hpp"
#include "magics_run.hpp"
#include "session/base/cell_names.hpp"
#include "session/text/completeness_chunks.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace xcpp_session {
namespace {

bool defines_main(std::string_view source) {
    Scanner scanner(source);
    ScanToken previous;
    int depth = 0;
    for (ScanToken token = scanner.next(); token.kind != ScanKind::end; token = scanner.next()) {
        if (depth == 0 && token.text == "(" && previous.text == "main") return true;
        if (token.text == "{") ++depth;
        if (token.text == "}") --depth;
        previous = token;
    }
    return false;
}

// The statements as body of main(), definitions and variables in front of it, every piece under its
// own line number.
std::string with_main(const std::string& source, unsigned first_line, const std::string& file) {
    const Chunks pieces = split_chunks(source);
    std::string outside, inside;
    for (const Chunk& chunk : pieces.chunks) {
        const ScanToken& first = chunk.tokens.front();
        const std::string marker =
            "#line " + std::to_string(first_line + first.line - 1) + " \"" + file + "\"\n";
        (chunk.definition || chunk.variable ? outside : inside) +=
            marker + std::string(first.column - 1, ' ') + std::string(chunk.text) + "\n";
    }
    return pieces.directives + outside + "int main() {\n" + inside + ";\n}\n";
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

// A folder that goes away with all that is in it. If this process is killed before that, the front
// removes it.
struct TemporaryFolder {
    TemporaryFolder() {
        const char* base = std::getenv("XCPP_TEMPORARY");
        if (!base || ::access(base, W_OK) != 0) base = std::getenv("TMPDIR");
        path = std::string(base && *base ? base : "/tmp") + "/xcpp-XXXXXX";
        if (!::mkdtemp(path.data())) path.clear();
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path.empty()) std::filesystem::remove_all(path, ignored);
    }
    std::string path;  // empty: it could not be made
};

// "In[5]:3:7: error: x" -> "line 3: x"
std::string first_error(const std::string& words, int cell) {
    const std::size_t at = words.find("error: ");
    if (at == std::string::npos) return words.substr(0, words.find('\n'));
    std::string message = words.substr(at + 7, words.find('\n', at) - at - 7);
    const std::size_t start =
        words.rfind('\n', at) == std::string::npos ? 0 : words.rfind('\n', at) + 1;
    const std::string prefix = cell_file_name(cell) + ":";
    if (words.compare(start, prefix.size(), prefix) != 0) return message;
    return "line " + std::to_string(std::atoi(words.c_str() + start + prefix.size())) + ": " +
           message;
}

}  // namespace

MagicOutcome build_executable(const Magic& magic, int cell,
                              const std::vector<std::string>& compiler_arguments,
                              Interrupted interrupted) {
    const TemporaryFolder folder;
    if (folder.path.empty())
        return {false,
                {},
                "FileError",
                std::string("cannot write a temporary file: ") + std::strerror(errno)};
    const std::string source = folder.path + "/cell.cpp", output = folder.path + "/output";
    const std::string file = cell_file_name(cell);
    const std::string marker = "#line " + std::to_string(magic.body_line) + " \"" + file + "\"\n";
    std::ofstream(source) << magic.prelude << "\n"
                          << (defines_main(magic.body)
                                  ? marker + magic.body + "\n"
                                  : with_main(magic.body, magic.body_line, file));
    std::vector<std::string> command = {"env", "TMPDIR=" + folder.path, "clang++-19"};
    for (std::string& argument : for_a_program(compiler_arguments))
        command.push_back(std::move(argument));
    command.insert(command.end(), {"-Wno-unknown-pragmas", "-fno-caret-diagnostics", source, "-o",
                                   magic.argument});
    command.insert(command.end(), magic.flags.begin(), magic.flags.end());
    const ProcessEnd end = run_process(command, interrupted, output);
    std::ostringstream words_of_compiler;
    words_of_compiler << std::ifstream(output).rdbuf();
    const std::string words = words_of_compiler.str();
    if (end.interrupted) return {false, {}, "Interrupted", "the compiler was interrupted"};
    if (!end.error.empty() || end.status == 127)
        return {false, {}, "CompileError", "cannot start clang++-19: " + end.error + words};
    if (end.status != 0) return {false, words, "CompileError", first_error(words, cell)};
    return {true, words + "Writing executable to " + magic.argument + "\n"};
}

}  // namespace xcpp_session
