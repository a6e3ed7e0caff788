// How the session runs a cell: its magics, and its C++, which cell_pipeline.cpp compiles; and what
// is reported.
#include "session.hpp"

#include "session/base/cell_names.hpp"
#include "session/clang/diagnostics/hints_failed.hpp"
#include "session/clang/diagnostics/missing_names.hpp"
#include "session/magics/magics_run.hpp"
#include "session/magics/who.hpp"
#include "session/process/interruption_points.hpp"
#include "session/process/out_of_memory.hpp"
#include "session/process/process_settings.hpp"
#include "session/recovery/throwaway_copy.hpp"
#include "session/text/completeness.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

namespace xcpp_session {
namespace {

using Json = nlohmann::json;
using xcpp_wire::Result;

bool asks_interrupted() { return Session::the_session()->interrupted(); }

Result from_outcome(const MagicOutcome& outcome) {
    if (!outcome.output.empty()) std::cout << outcome.output << std::flush;
    return outcome.ok ? Result() : failure(outcome.ename, outcome.evalue);
}

}  // namespace

Result Session::run_cell(ParsedCell cell) {
    const std::string& code = cell.code;
    constexpr std::string_view asks = "%references ";  // only a session that runs nothing answers
    if (compile_only_ && code.compare(0, asks.size(), asks) == 0) {
        try {
            const char* found = references(code.substr(asks.size()), nullptr);
            std::cout << (found ? found : "null") << std::flush;
        } catch (const std::runtime_error& error) {
            return failure("NoAnalysis", "%references: " + std::string(error.what()));
        }
        return Result();
    }
    Result result;
    for (Segment& segment : cell.segments) {
        if (segment.magic.kind != MagicKind::none)
            result = run_magic(segment.magic);
        else if (!segment.source.tokens().empty())
            result = run_cpp(std::move(segment.source), segment.line, false);
        if (!result.ok() || interrupted()) break;
    }
    return result;
}

Result Session::run_magic(const Magic& magic) {
    if (!magic.error.empty())
        return failure(magic.kind == MagicKind::unknown ? "UnknownMagic" : "MagicError",
                       magic.error);
    const bool is_code = magic.kind == MagicKind::timeit || magic.kind == MagicKind::cell_timeit ||
                         magic.kind == MagicKind::verbose || magic.kind == MagicKind::library;
    if (compile_only_ && !is_code && magic.kind != MagicKind::file) return Result();
    switch (magic.kind) {
        case MagicKind::timeit:
        case MagicKind::cell_timeit:
            return run_cpp(SourceText(timeit_code(magic)), magic.body_line - 1, false);
        case MagicKind::executable:
            return build_program(magic);
        case MagicKind::who:
            return who();
        case MagicKind::verbose:
            return run_cpp(SourceText(magic.body), magic.body_line, true);
        case MagicKind::library:
            return run_library_magic(magic);
        case MagicKind::inspect: {
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
        default:
            if (const auto outcome = xcpp_session::run_magic(magic, asks_interrupted))
                return from_outcome(*outcome);
            return failure("MagicError", magic.name + " must be the only line of its cell");
    }
}

Result Session::run_library_magic(const Magic& magic) {
    std::string code;
    try {
        code = library_code(magic);
    } catch (const std::runtime_error& refused) {
        return failure("MagicError", refused.what());
    }
    SourceText source(std::move(code));
    if (source.tokens().empty()) return Result();
    return run_cpp(std::move(source), magic.body_line - 1, false);
}

// A compiler that refused the text is gone: then this is the copy that took over.
void Session::note_failed(const std::string& error) {
    const SessionNames& names = interpreter_.names();
    for (Segment& segment : ParsedCell(sources_[cell_]).segments) {
        if (segment.magic.kind != MagicKind::none ||
            !check_completeness(segment.source).may_be_parsed)
            continue;
        const Cell cell(std::move(segment.source), names);
        std::string reason = error.empty() ? "it did not compile." : error;
        // What it failed for may follow from another cell that failed before.
        for (const Token& token : cell.tokens)
            if (const std::string first = reason_of_missing_name(token.text);
                !first.empty() && names.kind_of({token.text}) == NameKind::unknown) {
                reason = first;
                break;
            }
        for (const Piece& piece : cell.pieces)
            for (const std::string_view name : piece.declares)
                note_missing_name(name, cell_, reason);
    }
}

Result Session::run_cpp(SourceText source, unsigned first_line, bool verbose) {
    const std::string& whole = sources_[cell_];
    const Completeness completeness = check_completeness(source);
    if (!completeness.may_be_parsed) {
        const CompileReport report =
            render_own_error(cell_file_name(cell_), whole, completeness.message,
                             completeness.line + first_line - 1, completeness.column);
        return failure("CompileError", report.evalue, report.traceback,
                       false);  // the compiler never saw it
    }
    const bool keep = must_keep_process();
    // The front limits the time of "compile", and an interrupt then leads to a take-over.
    send(xcpp_wire::StageBegins{keep ? "rehearse" : "compile"});
    if (keep) {
        const Result rehearsed = rehearse(source, first_line, verbose);
        if (rehearsed.ename == "CompileError") {
            note_failed_cell(pipeline_.names_in(whole), cell_);
            note_failed(rehearsed.evalue);
        }
        if (!rehearsed.ok()) return rehearsed;
    }
    Interpreter::Entry entry = nullptr;
    const Result compiled = compile(std::move(source), first_line, verbose, entry);
    if (!compiled.ok()) return compiled;
    show_warnings(whole, verbose);
    if (compile_only_) return Result();
    send(xcpp_wire::StageBegins{"run"});
    step_ = 0;
    if (interrupted()) {  // its declarations are there already
        if (keep) interpreter_.names().withdraw_after(step_);
        return failure("Interrupted", "interrupted by the user", {}, !keep);
    }
    return run_compiled([entry] { entry(); });
}

Result Session::rehearse(SourceText& source, unsigned first_line, bool verbose) {
    using End = CopyOutcome::End;
    const CopyOutcome outcome = run_in_throwaway_copy(
        [&] {
            Interpreter::Entry entry = nullptr;
            const Json result = compile(std::move(source), first_line, verbose, entry);
            return result.dump(-1, ' ', false, Json::error_handler_t::replace);
        },
        options_.compile_seconds, [this] { return interrupted(); });
    page_.compiling = 0;
    page_.row_count = 0;
    Result result;
    if (outcome.end == End::finished) {
        result = Json::parse(outcome.text).get<Result>();
        result.take_over = false;
    } else if (outcome.end == End::interrupted) {
        result = failure("Interrupted", "interrupted by the user");
    } else if (outcome.end == End::timed_out) {
        std::ostringstream words;
        words << "compiling took longer than " << options_.compile_seconds << " s";
        result = failure("CompileError", words.str());
        result.traceback.emplace_back("XCPP_COMPILE_TIMEOUT sets the limit, in seconds.");
    } else if (outcome.end == End::died) {
        xcpp_wire::TakeOver how;
        how.signal = SIGKILL;
        const auto report = describe_crash(page_, how, lines_, sources_);
        result = failure(report.ename, report.evalue, report.traceback);
    }
    clear_crash_record();
    return result;
}

Result Session::compile(SourceText source, unsigned first_line, bool verbose,
                        Interpreter::Entry& entry) {
    const std::string& whole = sources_[cell_];
    page_.compiling = 1;
    try {
        std::vector<CodeLine> lines;
        entry = pipeline_.compile({std::move(source), first_line, cell_, whole}, lines);
        lines_.add(lines, page_);
        forget_failed(pipeline_.newest_names());
    } catch (const CompileFailed& failed) {
        const CompileReport report = render_errors(failed.findings, whole, cell_, verbose);
        Result result = failure("CompileError", report.evalue, report.traceback, true);
        if (interpreter_.has_precompiled_header())
            result.bad_header = problem_of_precompiled_file(failed.findings);
        return result;
    } catch (const HeaderBroken& broken) {
        page_.compiling = 0;
        const CompileReport report =
            render_own_error(broken.file, broken.text, broken.what(), broken.line, broken.column);
        return failure("CompileError", report.evalue, report.traceback,
                       false);  // the compiler never saw it
    } catch (const LinkFailed& failed) {
        const CompileReport report = render_link_error(failed.what());
        return failure("LinkError", report.evalue, report.traceback, true);
    } catch (const std::bad_alloc&) {
        return failure("OutOfMemory", out_of_memory_words(" while the cell was compiled"), {},
                       true);
    }
    page_.compiling = 0;
    return Result();
}

Result Session::run_compiled(const std::function<void()>& entry) {
    const pid_t self = getpid();
    const char* lost = nullptr;
    const RunOutcome outcome = run_entry([&] {
        const ProcessSettings of_the_cell(lost);
        const InterruptionPoints stops(page_, throw_interrupted);
        entry();
    });
    if (getpid() != self) {  // a child that the cell forked: nobody waits for its result
        if (outcome.kind != RunOutcome::Kind::ok)
            std::cerr << "child process " << outcome.ename << ": " << outcome.evalue << '\n'
                      << std::flush;
        leave_process(outcome.kind == RunOutcome::Kind::ok ? 0 : 1);
    }
    if (lost)
        return failure(
            "SettingError",
            std::string("the cell changed ") + lost +
                " for good, and the session cannot live with that: the cell was taken back. " +
                "A limit that is lowered in rlim_cur alone lasts as long as the cell.",
            {}, true);
    if (outcome.kind == RunOutcome::Kind::ok) return Result();
    if (outcome.kind == RunOutcome::Kind::not_defined) {
        const CompileReport report = render_link_error(outcome.evalue);
        const bool keep = must_keep_process();
        if (keep) interpreter_.names().withdraw_after(step_);
        return failure("LinkError", report.evalue, report.traceback, !keep);
    }
    if (outcome.kind == RunOutcome::Kind::out_of_memory)
        return failure("OutOfMemory", outcome.evalue, {}, true);
    interpreter_.names().withdraw_after(step_);
    std::vector<std::string> traceback = {"\x1b[1m" + outcome.ename + "\x1b[0m: " + outcome.evalue};
    if (outcome.kind == RunOutcome::Kind::exception ||
        outcome.kind == RunOutcome::Kind::interrupted) {
        const auto frames =
            describe_frames(outcome.frames, outcome.frame_count, page_, lines_, sources_);
        traceback.insert(traceback.end(), frames.begin(), frames.end());
    }
    // A library that was asked to stop has done so by an exception (xcpp_interrupted): what the
    // user did is the news, its words are in the traceback.
    if (interrupted()) return failure("Interrupted", "interrupted by the user", traceback);
    return failure(outcome.ename, outcome.evalue, traceback);
}

void Session::show_warnings(const std::string& code, bool verbose) {
    const std::string text = render_warnings(interpreter_.take_findings(), code, cell_, verbose);
    if (text.empty() || grading_) return;
    send(xcpp_wire::Publish{"display_data",
                            {{"data", {{"text/plain", text}}},
                             {"metadata", Json::object()},
                             {"transient", Json::object()}},
                            Json::object()});
}

Result Session::who() {
    who_rows_.clear();
    std::string code;
    for (const HeldName& held : interpreter_.names().held()) {
        const std::string type = without_generated_names(held.type.empty() ? held.kind : held.type);
        if (held.kind == "variable")  // its value is asked of the display that cells have
            code += "::xcpp_who_row(\"" + held.name + "\", R\"xcpp(" + type + ")xcpp\", " +
                    std::to_string(held.cell) +
                    ", [&]() -> std::string { try { return ::xcpp::detail::text_of(" + held.name +
                    "); } catch (...) { return \"<cannot be shown>\"; } }().c_str());\n";
        else
            who_rows_.push_back({held.name, type, held.cell, ""});
    }
    Result result = code.empty() ? Result() : run_cpp(SourceText(code), 1, false);
    if (!result.ok()) return result;
    if (who_rows_.empty()) {
        std::cout << "The session holds nothing yet.\n" << std::flush;
        return result;
    }
    std::sort(who_rows_.begin(), who_rows_.end(),
              [](const WhoRow& a, const WhoRow& b) { return a.name < b.name; });
    std::cout << who_table(who_rows_) << std::flush;
    return result;
}

Result Session::build_program(const Magic& magic) {
    Magic program = magic;
    const auto& declarations = pipeline_.declarations();
    for (const xcpp::CellDeclaration& declared : declarations) {
        const auto in_use = [&](const std::string& name) {
            return interpreter_.names().holds(name, declared.unit);
        };
        const auto same = [&](const xcpp::CellDeclaration& other) {
            return !declared.redefines.empty() && other.redefines == declared.redefines &&
                   other.unit > declared.unit;
        };
        if (std::any_of(declarations.begin(), declarations.end(), same)) continue;
        if (declared.names.empty() ||
            std::any_of(declared.names.begin(), declared.names.end(), in_use))
            program.prelude += declared.text + "\n";
    }
    std::error_code gone;
    const std::string folder = std::filesystem::current_path(gone).string();
    if (gone)
        return failure("FileError",
                       "the working folder is gone: " + gone.message() + ". %cd leads to another");
    auto arguments = interpreter_.arguments();
    arguments.push_back("-I" + folder);  // where a cell's own #include "…" looks, too
    return from_outcome(build_executable(program, cell_, arguments, asks_interrupted));
}

}  // namespace xcpp_session
