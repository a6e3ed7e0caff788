#include "compile_text.hpp"

#include "compiler.hpp"
#include "prelude.hpp"
#include "unsupported.hpp"

#include "../diagnostics.hpp"
#include "../preprocessor.hpp"

#include "lanes/gpu/program.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace lanes::gpu::simulator {

namespace {

// What the instrumented text calls on each access.
#define LANES_HOOK_TABLE(...) #__VA_ARGS__ "\n"
const char* const hooks_text =
#include "check/hook_table.inc"
#include "check/hooks.inc"
    ;
#undef LANES_HOOK_TABLE

bool is_ours(const std::string& file) { return file.rfind(prelude_name, 0) == 0; }

// Errors in the order that they came. One inside of the dialect is told where the student's text asked for it.
std::vector<CompileMessage> read_errors(const std::string& log) {
    static const std::regex error(R"(^(.*?):(\d+):(\d+): (?:fatal )?error: (.*)$)"),
        place(R"(^(.*?):(\d+):(\d+):\s+(?:note: in instantiation|required from here|note: in call|note: expanded from|note: while).*$)");
    std::vector<CompileMessage> errors;
    CompileMessage asked;  // g++ tells who asked before the error, clang after it
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (std::regex_match(line, found, error)) {
            CompileMessage message{found[1], std::stoi(found[2]), std::stoi(found[3]), found[4]};
            if (is_ours(message.file) && asked.line > 0) message.file = asked.file, message.line = asked.line, message.column = asked.column;
            asked = {};
            errors.push_back(message);
        } else if (std::regex_match(line, found, place) && !is_ours(found[1])) {
            const CompileMessage here{found[1], std::stoi(found[2]), std::stoi(found[3]), ""};
            if (!errors.empty() && is_ours(errors.back().file))
                errors.back().file = here.file, errors.back().line = here.line, errors.back().column = here.column;
            else
                asked = here;
        }
    }
    return errors;
}

[[noreturn]] void throw_compile_error(const ProgramText& program, const std::string& log) {
    std::vector<CompileMessage> errors = read_errors(log);
    const std::string hints = unsupported_words(program.text, program.name);
    std::string message = "Program: " + program.name + " does not compile for the simulator";
    if (errors.empty()) throw CudaCompileError(message + ".\n" + hints + log, log);
    // what follows from an error in the student's text is noise; so is what the dialect says of itself
    const bool any_student = std::any_of(errors.begin(), errors.end(), [](const auto& error) { return !is_ours(error.file); });
    if (any_student) errors.erase(std::remove_if(errors.begin(), errors.end(), [](const auto& error) { return is_ours(error.file); }), errors.end());
    message += ", " + std::to_string(errors.size()) + (errors.size() == 1 ? " error" : " errors") + ".\n" + hints;
    throw CudaCompileError(message + show_errors(program.name, program.text, errors), log);
}

}  // namespace

std::unique_ptr<Unit> compile_text(const ProgramText& program, const std::vector<std::string>& entries, const std::string& architecture, bool checked) {
    Compilation compilation;
    const std::string text = with_dynamic_shared(program.text, compilation.dynamic_shared);
    compilation.unit = translation_unit(text, program.name, entries, std::stoi(architecture.substr(3)), checked);
    compilation.flags = program.flags;
    for (const auto& file : preprocess(program.text, program.flags).included) compilation.depends_on.push_back(file.content);
    compilation.checked = checked;
    if (checked) compilation.hooks = hooks_text;
    CompilerOutcome outcome = compile(compilation);
    if (outcome.object.empty()) throw_compile_error(program, outcome.log);
    return std::make_unique<Unit>(std::move(outcome.object), entries);
}

}  // namespace lanes::gpu::simulator
