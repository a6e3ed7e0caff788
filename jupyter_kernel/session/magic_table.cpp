// The magics of the Jupyter kernel: their rows of the table of text/magics.hpp, and those that need
// the session. To add one, add a row; the README says how.
#include "session.hpp"
#include "session/base/cell_names.hpp"
#include "session/base/similar_words.hpp"
#include "session/clang/compiler/clang_version.hpp"
#include "session/clang/compiler/functions_of_cells.hpp"
#include "session/clang/diagnostics/diagnostics_picture.hpp"
#include "session/magics/asm_listing.hpp"
#include "session/magics/magics_run.hpp"
#include "session/magics/program_build.hpp"
#include "session/magics/program_run.hpp"
#include "session/magics/who.hpp"
#include "session/text/magic_arguments.hpp"
#include "wire/version.hpp"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <set>
#include <stdexcept>

namespace xcpp_session {
namespace {

using Json = nlohmann::json;
using xcpp_wire::Result;

bool is_interrupted() { return Session::the_session()->interrupted(); }

Result from_outcome(const MagicOutcome& outcome) {
    if (!outcome.output.empty()) std::cout << outcome.output << std::flush;
    return outcome.ok ? Result() : failure(outcome.ename, outcome.evalue, outcome.traceback);
}

Result write_file_of(Session&, const Magic& magic) {
    return from_outcome(write_file(magic.argument, magic.body, magic.append));
}

Result list_magics(Session&, const Magic&) { return from_outcome({true, magics_help()}); }

Result show_version(const std::vector<std::string>& compiler_arguments) {
    std::cout << "xcpp17 " << xcpp_wire::version << "\n" << clang_version() << "\n";
    const std::string option = "-std=c++";
    for (const std::string& argument : compiler_arguments)
        if (argument.rfind(option, 0) == 0)
            std::cout << "C++" << argument.substr(option.size()) << "\n";
    std::cout << std::flush;
    return Result();
}

MagicCode body_with_all_messages(const Magic& magic) { return {magic.body, magic.body_line, true}; }

}  // namespace

// Columns: name, usage, meaning; what reads its arguments; the C++ that it becomes (in programs,
// too) or what runs it; where it has C++ to complete; whether it is run if nothing else is.
// A member, because some of them call private functions of the session.
bool Session::add_magics() {
    for (MagicKind& kind : std::vector<MagicKind>{
             {"%timeit", "%timeit [-n N] [-r R] statement",
              "how long a statement takes: N loops, repeated R times", read_timeit_statement,
              timeit_code, nullptr, CppPart::statement},
             {"%%timeit", "%%timeit [-n N] [-r R] [set-up]",
              "the same for the rest of the cell; set-up runs once before it, and is not timed",
              read_timeit_of_cell, timeit_code, nullptr, CppPart::argument_and_body},
             {"%%file", "%%file [-a] name", "writes the rest of the cell to a file; -a appends",
              read_file_name, nullptr, write_file_of, CppPart::none, true},
             {"%%writefile", "%%writefile [-a] name", "the same", read_file_name, nullptr,
              write_file_of, CppPart::none, true},
             {"%%executable", "%%executable name [-- flags]",
              "makes a program of the rest of the cell", read_program_name, nullptr,
              [](Session& session, const Magic& magic) { return session.build_program(magic); },
              CppPart::body},
             {"%%run", "%%run [--tag] command [-- arguments]",
              "starts the rest of the cell as a program by a command, such as mpirun -n 4",
              read_command, nullptr,
              [](Session& session, const Magic& magic) { return session.run_as_program(magic); },
              CppPart::body},
             {"%%tsan", "%%tsan [-- arguments]",
              "runs the rest of the cell as a program that finds data races", read_command, nullptr,
              [](Session& session, const Magic& magic) {
                  return session.run_under(magic, Sanitizer::thread);
              },
              CppPart::body},
             {"%%asan", "%%asan [-- arguments]",
              "the same for wrong uses of memory, such as an index out of bounds", read_command,
              nullptr,
              [](Session& session, const Magic& magic) {
                  return session.run_under(magic, Sanitizer::address);
              },
              CppPart::body},
             {"%%bash", "%%bash", "runs the rest of the cell with bash", use_body, nullptr,
              [](Session&, const Magic& magic) {
                  return from_outcome(run_shell(magic.argument, is_interrupted, "/bin/bash", true));
              }},
             {"%%sh", "%%sh", "runs the rest of the cell with sh", use_body, nullptr,
              [](Session&, const Magic& magic) {
                  return from_outcome(run_shell(magic.argument, is_interrupted, "/bin/sh", true));
              }},
             {"%%verbose", "%%verbose",
              "runs the rest of the cell and shows all that the compiler says", nullptr,
              body_with_all_messages, nullptr, CppPart::body},
             {"%who", "%who [--json]",
              "what the session holds, with types and values; --json: as data for programs",
              nullptr, nullptr,
              [](Session& session, const Magic& magic) {
                  return session.who(magic.argument == "--json");
              }},
             {"%asm", "%asm function", "the machine code of a function beside its lines", nullptr,
              nullptr,
              [](Session& session, const Magic& magic) { return session.show_machine_code(magic); },
              CppPart::statement},
             {"%undo", "%undo", "takes the last cell back", nullptr, nullptr,
              // Session::execute has looked for it: this one is not alone in its cell.
              [](Session&, const Magic&) {
                  return failure("MagicError", "%undo must be the only line of its cell");
              }},
             {"%cd", "%cd folder", "changes the working folder", nullptr, nullptr,
              [](Session&, const Magic& magic) {
                  return from_outcome(change_folder(magic.argument));
              }},
             {"%pwd", "%pwd", "shows the working folder", nullptr, nullptr,
              [](Session&, const Magic&) { return from_outcome(show_folder()); }},
             {"%version", "%version", "the versions of this Jupyter kernel, of clang and of C++",
              nullptr, nullptr,
              [](Session& session, const Magic&) {
                  return show_version(session.interpreter_.arguments());
              }},
             {"%env", "%env [NAME[=value]]", "shows or sets environment variables", nullptr,
              nullptr,
              [](Session&, const Magic& magic) {
                  return from_outcome(environment(magic.argument));
              }},
             {"%lsmagic", "%lsmagic", "this list", nullptr, nullptr, list_magics},
             {"%help", "%help", "this list", nullptr, nullptr, list_magics},
             {"!", "!command", "runs a shell command", nullptr, nullptr,
              [](Session&, const Magic& magic) {
                  return from_outcome(run_shell(magic.argument, is_interrupted));
              }},
             {"?", "?name  or  name?", "what is known about a name; ??name says more", nullptr,
              nullptr,
              [](Session& session, const Magic& magic) { return session.show_inspection(magic); },
              CppPart::statement},
         })
        add_magic(std::move(kind));
    return true;
}

namespace {
// As a library adds its magics: while the program is loaded.
[[maybe_unused]] const bool added = Session::add_magics();
}  // namespace

Result Session::run_magic(const Magic& magic) {
    if (!magic.error.empty())
        return failure(magic.kind ? "MagicError" : "UnknownMagic", magic.error);
    const MagicKind& kind = *magic.kind;
    if (compile_only_ && !kind.cpp && !kind.in_compile_only) return Result();
    if (kind.run) return kind.run(*this, magic);
    MagicCode code;
    try {
        code = kind.cpp(magic);
    } catch (const std::runtime_error& refused) {
        return failure("MagicError", refused.what());
    }
    SourceText source(std::move(code.text));
    if (source.tokens().empty()) return Result();
    return run_cpp(std::move(source), code.line, code.verbose);
}

Result Session::show_inspection(const Magic& magic) {
    const xcpp_wire::Inspected answer =
        inspect({0, magic.argument, magic.argument.size(), magic.detail});
    if (!answer.found)
        return failure("NotFound", "nothing is known about '" + magic.argument +
                                       "': no header and no cell that was run declares it");
    Result result;
    const Json text = {{"text/plain", answer.data.at("text/plain")}};
    result.payload = Json::array({{{"source", "page"}, {"data", text}, {"start", 0}}});
    return result;
}

Result Session::who(bool as_data) {
    who_rows_.clear();
    std::string code;
    for (const HeldName& held : interpreter_.names().held()) {
        const std::string type = without_generated_names(held.type.empty() ? held.kind : held.type);
        if (held.kind == "variable")  // its value is asked of the display that cells have
            code += "::xcpp_who_row(\"" + held.name + "\", R\"xcpp(" + type + ")xcpp\", " +
                    std::to_string(held.cell) +
                    ", [&]() -> std::string { try { return ::xcpp::detail::text_of(" + held.name +
                    "); } catch (...) { return \"<cannot be shown>\"; } }().c_str(), sizeof(" +
                    held.name + "), ::xcpp_who_elements(" + held.name + ", 0));\n";
        else
            who_rows_.push_back({held.name, type, held.cell, ""});
    }
    Result result = code.empty() ? Result() : run_cpp(SourceText(code), 1, false);
    if (!result.ok()) return result;
    std::sort(who_rows_.begin(), who_rows_.end(),
              [](const WhoRow& a, const WhoRow& b) { return a.name < b.name; });
    if (as_data) {
        // A value may hold bytes that are not UTF-8.
        const std::string text =
            who_data(who_rows_).dump(2, ' ', false, Json::error_handler_t::replace);
        send(xcpp_wire::Publish{
            "display_data",
            {{"data", {{"application/json", Json::parse(text)}, {"text/plain", text}}}},
            Json::object()});
        return result;
    }
    if (who_rows_.empty()) {
        std::cout << "The session holds nothing yet.\n" << std::flush;
        return result;
    }
    std::cout << who_table(who_rows_) << std::flush;
    return result;
}

Result Session::show_machine_code(const Magic& magic) {
    const auto without_spaces = [](std::string text) {
        text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
        return text;
    };
    const std::string wanted = without_spaces(magic.argument);
    if (wanted.empty())
        return failure("MagicError",
                       "%asm needs the name of a function. Use: " + magic.kind->usage);
    // "area" means shapes::area, too.
    const auto is_meant = [&](const std::string& name) {
        return llvm::StringRef("::" + without_spaces(name)).ends_with("::" + wanted);
    };
    std::set<std::string> others;
    std::vector<std::string> found;
    std::vector<FunctionCode> code;
    bool is_known = interpreter_.names().is_function(wanted);
    for (const FunctionOfCell& function : functions_of_cells(interpreter_.names())) {
        if (!is_meant(function.name) && !is_meant(function.full_name) &&
            !is_meant(function.signature)) {
            others.insert(function.name);
            continue;
        }
        is_known = true;
        auto machine_code = interpreter_.machine_code(function.declaration);
        if (machine_code.empty()) continue;
        found.push_back(function.signature);
        code = std::move(machine_code);
    }
    if (found.size() == 1) return from_outcome({true, asm_listing(code, sources_)});
    std::string problem;
    if (found.size() > 1) {
        problem = "several functions are called " + magic.argument + ". Choose one:";
        for (const std::string& signature : found) problem += "\n  %asm " + signature;
    } else if (is_known) {
        problem = magic.argument +
                  " has no machine code of its own: no cell calls it, or each call was inlined. "
                  "With [[gnu::noinline]] before its definition, a call is not inlined.";
    } else {
        problem = "no cell that was run defines a function " + magic.argument + ".";
        for (const std::string& similar : similar_words(wanted, {others.begin(), others.end()}))
            problem += " Did you mean " + similar + "?";
    }
    return failure("MagicError", "%asm: " + problem);
}

// Throws std::runtime_error if the working folder is gone.
ProgramParts Session::program_parts() {
    ProgramParts parts;
    parts.cell = cell_;
    parts.interrupted = is_interrupted;
    parts.libraries = interpreter_.libraries();
    const auto& declarations = pipeline_.declarations();
    for (const xcpp::CellDeclaration& declared : declarations) {
        const auto in_use = [&](const std::string& name) {
            return interpreter_.names().holds(name, declared.unit);
        };
        // The same text again is the newer version, too: a function of a type that was defined
        // again is an overload in the session, and would be the same function in a program.
        const auto newer = [&](const xcpp::CellDeclaration& other) {
            return other.unit > declared.unit &&
                   ((!declared.redefines.empty() && other.redefines == declared.redefines) ||
                    (!declared.names.empty() && other.text == declared.text));
        };
        if (std::any_of(declarations.begin(), declarations.end(), newer)) continue;
        if (declared.names.empty() ||
            std::any_of(declared.names.begin(), declared.names.end(), in_use))
            parts.prelude += "#line " + std::to_string(declared.line) + " \"" +
                             cell_file_name(declared.cell) + "\"\n" + declared.text + "\n";
    }
    std::error_code gone;
    const std::string folder = std::filesystem::current_path(gone).string();
    if (gone)
        throw std::runtime_error("the working folder is gone: " + gone.message() +
                                 ". %cd leads to another");
    parts.arguments = interpreter_.arguments();
    parts.arguments.push_back("-I" + folder);  // where a cell's own #include "…" looks, too
    return parts;
}

Result Session::build_program(const Magic& magic) {
    try {
        return from_outcome(build_executable(magic, program_parts()));
    } catch (const std::runtime_error& error) {
        return failure("FileError", error.what());
    }
}

Result Session::run_under(const Magic& magic, Sanitizer sanitizer) {
    if (!magic.words.empty() || magic.tagged)
        return failure("MagicError", magic.name + " takes no command. Use: " + magic.kind->usage);
    std::cout << std::flush;
    try {
        return from_outcome(run_sanitized(magic, program_parts(), sanitizer));
    } catch (const std::runtime_error& error) {
        return failure("FileError", error.what());
    }
}

void Session::add_place_of_damage(xcpp_wire::ErrorText& error) {
    const ParsedCell cell(sources_[cell_]);
    const bool is_cpp = cell.segments.size() == 1 && cell.segments[0].magic.is_cpp();
    if (!is_cpp || grading_ || compile_only_) return;
    send(xcpp_wire::StageBegins{"search"});
    Magic magic;
    magic.body = cell.code;
    MagicOutcome found;
    try {
        ProgramParts parts = program_parts();
        using Clock = std::chrono::steady_clock;
        static Clock::time_point until;  // the function takes no argument
        const std::chrono::duration<double> most(options_.compile_seconds / 4);  // 30 s
        until = Clock::now() + std::chrono::duration_cast<Clock::duration>(most);
        parts.interrupted = [] { return is_interrupted() || Clock::now() > until; };
        found = run_sanitized(magic, parts, Sanitizer::address, false);
    } catch (const std::runtime_error&) {
        return;
    }
    if (found.ename != "AddressSanitizer") return;
    const std::string place =
        "A second run under the address sanitizer found it: " + found.evalue + ".";
    error.evalue += ". " + place;
    error.traceback.push_back(hint_line(place + " %%asan on the first line shows the report."));
}

Result Session::run_as_program(const Magic& magic) {
    std::cout << std::flush;
    try {
        return from_outcome(run_program(magic, program_parts(), sources_));
    } catch (const std::runtime_error& error) {
        return failure("FileError", error.what());
    }
}

}  // namespace xcpp_session
