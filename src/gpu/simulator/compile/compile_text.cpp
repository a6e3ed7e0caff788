#include "compile_text.hpp"

#include "compiler.hpp"
#include "headers/headers.hpp"
#include "host_code.hpp"
#include "prelude.hpp"
#include "shared_names.hpp"
#include "unset_uses.hpp"
#include "unsupported.hpp"
#include "vector_casts.hpp"

#include "gpu/source/diagnostics.hpp"
#include "gpu/source/preprocessor.hpp"

#include "lanes/gpu/program.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

namespace lanes::gpu::simulator {

namespace {

// The functions that instrumented code calls at each access.
#define LANES_HOOK_TABLE(...) #__VA_ARGS__ "\n"
const char* const hooks_text =
#include "gpu/simulator/interface/hook_table.inc"
#include "hooks.inc"
    ;
#undef LANES_HOOK_TABLE

// A clearer message for errors of the host's compiler that are really mistakes in CUDA.
std::string in_words(const std::string& message) {
    if (message.find("variable length array") != std::string::npos)
        return "an array in a CUDA kernel needs a size that is known when the text is compiled. "
               "Use a constant, a template's argument, dynamic shared memory "
               "(extern __shared__), or a Buffer";
    if (message.find("lanes_cuda_kernel") != std::string::npos ||
        message.find("unable to deduce 'auto' from") != std::string::npos ||
        message.find("refers into a specialization of function template") != std::string::npos)
        return "the template's arguments do not fit it, or some are missing. Name all of them: "
               "program.kernel(\"f<float, 16>\")";
    static const std::regex library(
        R"(^'?((?:cuda|thrust|cub)/[^':]*).*(?:not found|No such file).*$)");
    if (std::smatch found; std::regex_match(message, found, library))
        return found[1].str() +
               ": NVIDIA's libraries (cuda::, Thrust, CUB) are not on the simulator. Use CUDA C++ "
               "itself, or run this CUDA kernel on a GPU";
    return message;
}

bool is_ours(const std::string& file) { return file.rfind(prelude_name, 0) == 0; }

bool is_header_of_ours(const std::string& file) {
    const auto& headers = header_files();
    return std::any_of(headers.begin(), headers.end(), [&](const HeaderFile& header) {
        const std::string end = std::string("/include/") + header.name;
        return file.size() > end.size() &&
               file.compare(file.size() - end.size(), std::string::npos, end) == 0 &&
               file[0] == '/';
    });
}

// Errors in the order in which the compiler printed them. An error inside the prelude is reported
// at the line of the student's text that uses it.
std::vector<CompileMessage> read_errors(const std::string& log) {
    static const std::regex error(R"(^(.*?):(\d+):(\d+): (?:fatal )?error: (.*)$)"),
        included(R"(^(?:In file included from|\s+from) (.*?):(\d+)[:,].*$)"),
        place(
            R"(^(.*?):(\d+):(\d+):\s+(?:note: in instantiation|required from here|note: in call|note: expanded from|note: in expansion of macro|note: while).*$)");
    std::vector<CompileMessage> errors;
    CompileMessage includes;  // the line that includes a header
    CompileMessage asked;     // g++ prints the place of use before the error, clang after it
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (std::regex_match(line, found, included)) {
            includes = {found[1], std::stoi(found[2]), 0, ""};
        } else if (std::regex_match(line, found, error)) {
            CompileMessage message{found[1], std::stoi(found[2]), std::stoi(found[3]),
                                   in_words(found[4])};
            if (is_ours(message.file) && asked.line > 0)
                message.file = asked.file, message.line = asked.line, message.column = asked.column;
            if (is_header_of_ours(message.file))
                message.file = includes.file, message.line = includes.line, message.column = 0;
            asked = {};
            errors.push_back(message);
        } else if (std::regex_match(line, found, place) && !is_ours(found[1])) {
            const CompileMessage here{found[1], std::stoi(found[2]), std::stoi(found[3]), ""};
            if (!errors.empty() && is_ours(errors.back().file))
                errors.back().file = here.file, errors.back().line = here.line,
                errors.back().column = here.column;
            else
                asked = here;
        }
    }
    return errors;
}

[[noreturn]] void throw_errors(const ProgramText& program,
                               const std::vector<CompileMessage>& errors, const std::string& hints,
                               const std::string& log) {
    throw CudaCompileError("Program: " + program.name + " does not compile for the simulator, " +
                               std::to_string(errors.size()) +
                               (errors.size() == 1 ? " error" : " errors") + ".\n" + hints +
                               show_errors(program.name, program.text, errors),
                           log);
}

[[noreturn]] void throw_compile_error(const ProgramText& program, const std::string& log) {
    std::vector<CompileMessage> errors = read_errors(log);
    rename_file(errors, program.file, program.name);
    const std::string hints = unsupported_words(program.text, program.name);
    if (errors.empty())
        throw CudaCompileError(
            "Program: " + program.name + " does not compile for the simulator.\n" + hints + log,
            log);
    // Errors outside the student's text that follow from an error in it are noise. So are errors of
    // the prelude itself, and everything after a brace that is never closed.
    if (const auto brace = unclosed_brace(program.name, program.text);
        brace && is_ours(errors.front().file))
        errors = {*brace};
    const bool any_student = std::any_of(errors.begin(), errors.end(),
                                         [](const auto& error) { return !is_ours(error.file); });
    if (any_student)
        errors.erase(std::remove_if(errors.begin(), errors.end(),
                                    [](const auto& error) { return is_ours(error.file); }),
                     errors.end());
    // The compiler may report the same mistake several times.
    std::set<std::pair<int, std::string>> reported;
    errors.erase(std::remove_if(errors.begin(), errors.end(),
                                [&](const auto& error) {
                                    return !reported.insert({error.line, error.text}).second;
                                }),
                 errors.end());
    // Lines of the prelude mean nothing to the student.
    for (auto& error : errors)
        if (is_ours(error.file)) error.file.clear(), error.line = 0;
    throw_errors(program, errors, hints, log);
}

}  // namespace

std::unique_ptr<Unit> compile_text(const ProgramText& program,
                                   const std::vector<std::string>& entries,
                                   const std::string& architecture, bool checked) {
    Compilation compilation;
    const std::string text = with_dynamic_shared(program.text);
    const std::string checked_text = checked ? with_aligned_vectors(text) : text;
    const int number = std::stoi(architecture.substr(3));
    const auto unit = [&](const std::string& content, UnitKind kind) {
        return translation_unit(content, program.file, entries, number, kind);
    };
    compilation.dynamic_shared = dynamic_shared_names(program);
    compilation.unit = unit(checked_text, checked ? UnitKind::checked : UnitKind::fast);
    compilation.flags = program.flags;
    std::set<std::string> files{program.file};
    for (const auto& file : preprocess(program.text, program.flags).included) {
        compilation.depends_on.push_back(file.content);
        files.insert(file.path);
    }
    compilation.checked = checked;
    if (checked) {
        compilation.hooks = hooks_text;
        compilation.arrays = has_other_arrays(program);
        compilation.watching = [&](const std::string& log) {
            const std::string watching = with_watched_uses(checked_text, program.file, log);
            return watching == checked_text ? "" : unit(watching, UnitKind::checked);
        };
    }
    compilation.as_cuda = unit(text, UnitKind::as_cuda);
    compilation.judge = [&](const std::string& log) {
        std::vector<CompileMessage> errors = host_code_in_device_code(log, files);
        rename_file(errors, program.file, program.name);
        if (!errors.empty()) throw_errors(program, errors, "", log);
    };
    CompilerOutcome outcome = compile(compilation);
    if (outcome.object.empty()) throw_compile_error(program, outcome.log);
    return std::make_unique<Unit>(std::move(outcome.object), entries);
}

}  // namespace lanes::gpu::simulator
