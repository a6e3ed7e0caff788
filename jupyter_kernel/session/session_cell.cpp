// How the session runs the C++ of a cell, which cell_pipeline.cpp compiles, and what is reported.
// Its magics are in magic_table.cpp.
#include "session.hpp"

#include "session/base/cell_names.hpp"
#include "session/clang/diagnostics/hints_failed.hpp"
#include "session/clang/diagnostics/missing_names.hpp"
#include "session/process/interruption_points.hpp"
#include "session/process/out_of_memory.hpp"
#include "session/process/process_settings.hpp"
#include "session/recovery/throwaway_copy.hpp"
#include "session/text/completeness.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace xcpp_session {

using Json = nlohmann::json;
using xcpp_wire::Result;

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
        if (!segment.magic.is_cpp())
            result = run_magic(segment.magic);
        else if (!segment.source.tokens().empty())
            result = run_cpp(std::move(segment.source), segment.line, false);
        if (!result.ok() || interrupted()) break;
    }
    return result;
}

namespace {

// What a text declares whose brackets do not match, up to the first bracket that is left open:
// words with a type in front of them and a ( behind, and the names of classes.
std::vector<std::string> declared_in_unfinished(const Tokens& tokens) {
    std::vector<std::string> names;
    int depth = 0;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        const Token &before = tokens[i - 1], &token = tokens[i];
        if (before.opens()) ++depth;
        if (before.closes()) depth = std::max(0, depth - 1);
        if (depth > 0 || !token.is_word()) continue;
        const bool has_type = before.is_one_of({">", "*", "&"}) ||
                              (before.is_word() && !before.is_one_of({"return", "else", "new"}));
        const bool called = i + 1 < tokens.size() && tokens[i + 1].is("(");
        if (before.is_one_of({"struct", "class"}) || (has_type && called))
            names.emplace_back(token.text);
    }
    return names;
}

}  // namespace

// A compiler that refused the text is gone: then this is the copy that took over.
void Session::note_failed(const std::string& error) {
    const SessionNames& names = interpreter_.names();
    for (Segment& segment : ParsedCell(sources_[cell_]).segments) {
        if (!segment.magic.is_cpp()) continue;
        if (!check_completeness(segment.source).may_be_parsed) {
            const auto declared = declared_in_unfinished(segment.source.tokens());
            note_failed_cell(declared, cell_);
            for (const std::string& name : declared) note_missing_name(name, cell_, error);
            continue;
        }
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
    Result compiled = compile(std::move(source), first_line, verbose, entry);
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
            std::string("the cell lowered the hard limit of ") + lost +
                ", which cannot be undone: the cell was taken back. A limit that is lowered in "
                "rlim_cur alone lasts as long as the cell.",
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
    // A library that was asked to stop has done so by an exception (xcpp_interrupted): report
    // Interrupted; the library's message stays in the traceback.
    if (interrupted()) return failure("Interrupted", "interrupted by the user", traceback);
    return failure(outcome.ename, outcome.evalue, traceback);
}

void Session::show_warnings(const std::string& code, bool verbose) {
    const std::string text = render_warnings(interpreter_.take_findings(), code, cell_, verbose);
    if (!text.empty()) show_text(text);
}

void Session::show_text(const std::string& text) {
    if (grading_) return;
    send(xcpp_wire::Publish{"display_data",
                            {{"data", {{"text/plain", text}}},
                             {"metadata", Json::object()},
                             {"transient", Json::object()}},
                            Json::object()});
}

}  // namespace xcpp_session
