// The other half of crash_record.hpp: the copy that took over describes what happened to the cell.
#include "crash_record.hpp"

#include "session/base/cell_names.hpp"
#include "session/base/signal_text.hpp"
#include "session/clang/diagnostics/diagnostics_picture.hpp"

#include "llvm/ADT/StringExtras.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <iterator>
#include <sstream>

namespace xcpp_session {
namespace {

using xcpp_wire::CrashCause;
using xcpp_wire::SharedState;

constexpr int most_rows = static_cast<int>(sizeof SharedState::rows / sizeof SharedState::rows[0]);

std::string line_text(const std::map<int, std::string>& sources, int cell, int line) {
    const auto source = sources.find(cell);
    if (source == sources.end()) return {};
    std::istringstream stream(source->second);
    std::string text;
    for (int i = 0; i < line; ++i)
        if (!std::getline(stream, text)) return {};
    return text;
}

struct Text {
    int number;
    const char* text;
};

constexpr Text arithmetic_errors[] = {
    {FPE_FLTDIV, "division by zero"},
    {FPE_FLTOVF, "overflow"},
    {FPE_FLTUND, "underflow"},
    {FPE_FLTRES, "an inexact result"},
    {FPE_FLTINV, "an invalid operation"},
};

template <std::size_t size>
const char* find_text(const Text (&table)[size], int number) {
    for (const Text& entry : table)
        if (entry.number == number) return entry.text;
    return nullptr;
}

// What glibc says of a heap whose book-keeping was overwritten: "free(): invalid next size (fast)".
bool is_about_the_heap(const char* message) {
    for (const char* part :
         {"free()", "malloc()", "malloc_consolidate()", "realloc()", "munmap_chunk()", "corrupted",
          "double free", "unlink_chunk", "sysmalloc"})
        if (std::strstr(message, part)) return true;
    return false;
}

std::string describe_signal(const SharedState& page, int number) {
    const std::string name = " (" + signal_name(number) + "): ";
    if (number == SIGSEGV && page.stack_overflow != 0)
        return "stack overflow" + name + "a recursion without end, or a very large local array";
    if (is_damage_of_heap(page))
        return "memory was damaged" + name +
               "something was written outside of an array, or freed twice. It was found later, "
               "by " +
               page.text;
    if (const char* trapped = find_text(arithmetic_errors, page.signal_code);
        number == SIGFPE && trapped)
        return "floating-point exception" + name + trapped +
               ", for which feenableexcept() has set a trap";
    if (page.crash_cause == 0) return signal_text(number);
    return signal_text(number, page.fault_address);
}

}  // namespace

bool is_damage_of_heap(const SharedState& page) {
    return page.crash_cause == static_cast<std::int32_t>(CrashCause::signal) &&
           page.signal_number == SIGABRT && is_about_the_heap(page.text);
}

void LineTable::add(const std::vector<CodeLine>& lines, SharedState& page) {
    int count = page.row_count;
    for (const CodeLine& line : lines) {
        if (count >= most_rows) break;
        page.rows[count++] = {line.address, line.cell, line.line};
    }
    page.row_count = count;
}

void LineTable::keep(const SharedState& page) {
    for (int i = 0; i < page.row_count; ++i)
        lines_[page.rows[i].address] = {page.rows[i].cell, page.rows[i].line};
}

// The rows of both tables from the address downwards.
LineTable::Place LineTable::find(std::uint64_t address, const Rows& running) const {
    constexpr std::uint64_t reach = 1 << 20;  // no function of a cell is longer
    auto older = lines_.upper_bound(address);
    auto newer = running.upper_bound(address);
    while (older != lines_.begin() || newer != running.begin()) {
        const bool has_older = older != lines_.begin();
        const bool has_newer = newer != running.begin();
        const bool is_newer =
            has_newer && (!has_older || std::prev(newer)->first >= std::prev(older)->first);
        // A newer row replaces an older one of its address.
        if (is_newer && has_older && std::prev(newer)->first == std::prev(older)->first) --older;
        const auto row = is_newer ? --newer : --older;
        if (row->second.first < 0 || address - row->first > reach) break;
        if (row->second.first > 0) return row->second;
    }
    return {0, 0};
}

std::vector<LineTable::Place> LineTable::places(const std::uint64_t* frames, int count,
                                                const SharedState& page) const {
    Rows running;
    for (int i = 0; i < page.row_count; ++i)
        running[page.rows[i].address] = {page.rows[i].cell, page.rows[i].line};
    std::vector<Place> found;
    for (int i = 0; i < count && found.size() < 8; ++i) {
        // a return address lies after its call
        const Place place = find(frames[i] - (i == 0 ? 0 : 1), running);
        if (place.first != 0 && (found.empty() || place != found.back())) found.push_back(place);
    }
    return found;
}

std::vector<std::string> describe_frames(const std::uint64_t* frames, int count,
                                         const SharedState& page, const LineTable& lines,
                                         const std::map<int, std::string>& sources) {
    std::vector<std::string> texts;
    for (const auto& [cell, line] : lines.places(frames, count, page))
        texts.push_back("  \x1b[1m" + cell_file_name(cell) + "\x1b[0m, line " +
                        std::to_string(line) + ": " + line_text(sources, cell, line));
    if (page.row_count >= most_rows)
        texts.push_back("  The cell is very long: lines of its end may be missing here.");
    return texts;
}

// What to do about an exception that nobody could catch, or a thread that nobody waited for.
std::string hint_after_terminate(const SharedState& page, const std::string& line) {
    if (std::strncmp(page.text, "uncaught", 8) != 0)
        return line.find("terminate") != std::string::npos
                   ? ""
                   : "a std::thread that is destroyed must have ended its work: call join() or "
                     "detach() on it before.";
    if (page.in_main_thread == 0)
        return "no exception may leave a thread's function: catch it there, or use std::async, "
               "whose get() throws it where it is waited for.";
    return "no exception may leave a function that is noexcept, as destructors are: catch it "
           "inside.";
}

xcpp_wire::ErrorText describe_crash(const SharedState& page, const xcpp_wire::TakeOver& why,
                                    const LineTable& lines,
                                    const std::map<int, std::string>& sources) {
    xcpp_wire::ErrorText report;
    const auto cause = static_cast<CrashCause>(page.crash_cause.load());
    std::vector<std::string> details;
    const int number = why.signal;
    const auto places = lines.places(page.frames, page.frame_count, page);
    std::string hint;
    if (cause == CrashCause::out_of_memory) {
        report.ename = "OutOfMemory";
        report.evalue = page.text[0] ? page.text : "the memory limit was reached";
    } else if (cause == CrashCause::channel_lost) {
        report.ename = "Crash";
        report.evalue =
            "the cell closed file descriptors that the Jupyter kernel needs. Close only those that "
            "you opened.";
    } else if (cause == CrashCause::exited || (number == 0 && why.exit_code >= 0)) {
        const int code = cause == CrashCause::exited ? page.exit_code.load() : why.exit_code;
        report.ename = "Exit";
        report.evalue = "the cell ended the program with exit code " + std::to_string(code);
    } else if (cause == CrashCause::compiler_crash) {
        report.ename = "CompileError";
        if (page.text[0] != '\0')  // it had found an error before
            report.evalue = page.text;
        else
            report.evalue = "the compiler itself crashed on this cell (" +
                            signal_name(page.signal_number) +
                            "). Try to write it in smaller steps.";
    } else {
        report.ename = "Crash";
        report.evalue =
            describe_signal(page, cause == CrashCause::signal ? page.signal_number.load() : number);
        if (cause == CrashCause::terminate) {
            report.evalue = std::string(page.text) + " (SIGABRT)";
            hint = hint_after_terminate(
                page, places.empty()
                          ? ""
                          : line_text(sources, places.front().first, places.front().second));
        }
        if (cause == CrashCause::assertion) report.evalue = std::string(page.text) + " (SIGABRT)";
        if (cause != CrashCause::none && page.fault_address != 0 &&
            (number == SIGSEGV || number == SIGBUS))
            details.push_back("  address 0x" + llvm::utohexstr(page.fault_address, true));
        if (cause != CrashCause::none && page.in_main_thread == 0)
            details.emplace_back("  in another thread than the cell's");
        if (!places.empty() && cause != CrashCause::assertion)
            report.evalue += ", line " + std::to_string(places.front().second);
    }
    report.traceback.push_back("\x1b[1m" + report.ename + "\x1b[0m: " + report.evalue);
    report.traceback.insert(report.traceback.end(), details.begin(), details.end());
    const auto frames = describe_frames(page.frames, page.frame_count, page, lines, sources);
    report.traceback.insert(report.traceback.end(), frames.begin(), frames.end());
    if (!hint.empty()) report.traceback.push_back(hint_line(hint));
    return report;
}

}  // namespace xcpp_session
