#include "diagnostics.hpp"

#include "diagnostics_picture.hpp"
#include "hints.hpp"
#include "hints_names.hpp"
#include "session/base/cell_names.hpp"

#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/LangOptions.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>

namespace xcpp_session {
namespace {

constexpr std::size_t shown_errors = 3;
constexpr std::size_t shown_warnings = 5;

bool is_backtrace(const Finding& note) {
    return has_one(note.message, "requested here|in instantiation of|in call to");
}

// Where the user's own text led to this error: the place itself, or the line of the cell that asked
// for the template.
const Finding* place_in_cell(const Finding& error, int cell) {
    if (cell_of_file_name(error.place.file) == cell) return &error;
    for (const Finding& note : error.notes)
        if (is_backtrace(note) && cell_of_file_name(note.place.file) == cell) return &note;
    for (const Finding& note : error.notes)
        if (cell_of_file_name(note.place.file) == cell) return &note;
    return &error;
}

// How much a note helps; 0: not at all.
int usefulness(const Finding& note) {
    if (is_backtrace(note) ||
        has_one(note.message,
                "expanded from|substitution failure|skipping |use -f|insert an explicit cast|to "
                "silence this warning|place parentheses"))
        return 0;
    const bool own = cell_of_file_name(note.place.file) > 0;
    // In the headers of a library only signatures are news to a user.
    if (!own && note.place.file.find('/') != std::string::npos &&
        !has_one(note.message, "not viable|candidate"))
        return 0;
    int kind = 2;
    if (has_one(note.message, "candidate template ignored")) kind = 1;
    if (has_one(note.message, "declared here|to match this|previous definition")) kind = 3;
    if (has_one(note.message, "not viable|unimplemented pure virtual") &&
        !has_one(note.message, "implicit copy|implicit move"))
        kind = 4;
    return kind + (own ? 10 : 0);
}

const Finding* helpful_note(const Finding& error, const Finding& shown) {
    const Finding* best = nullptr;
    // Operators have dozens of candidates in the standard library, none of them meant.
    const bool own_only =
        has_one(error.message, "invalid operands|no viable overloaded|no viable conversion");
    for (const Finding& note : error.notes) {
        if (&note == &shown || usefulness(note) == 0) continue;
        if (own_only && cell_of_file_name(note.place.file) == 0) continue;
        if (note.place.line != 0 && note.place.file == shown.place.file &&
            note.place.line == shown.place.line && has_one(note.message, "declared here"))
            continue;
        if (!best || usefulness(note) > usefulness(*best)) best = &note;
    }
    return best;
}

std::string line_text(const Finding& finding, std::string_view cell_text, int cell) {
    if (cell_of_file_name(finding.place.file) == cell && cell > 0)
        return line_of(cell_text, finding.place.line);
    return finding.source_line;
}

// The headline, and the line of `shown` with its caret.
void add_finding(std::vector<std::string>& lines, Level level, const std::string& message,
                 const Finding& shown, const std::string& source_line) {
    lines.push_back(headline(shown.place, level, message));
    for (std::string& line : draw(source_line, shown)) lines.push_back(std::move(line));
}

// Once is enough: the errors that follow from one mistake have the same.
void add_hint(std::vector<std::string>& lines, const std::string& hint) {
    if (!hint.empty() && std::find(lines.begin(), lines.end(), hint_line(hint)) == lines.end())
        lines.push_back(hint_line(hint));
}

void add_error(std::vector<std::string>& lines, const Finding& error, std::string_view cell_text,
               int cell, bool verbose) {
    const auto add_note = [&](const Finding& note) {
        add_finding(lines, Level::note, note.message, note, line_text(note, cell_text, cell));
    };
    const Finding& shown = *place_in_cell(error, cell);
    const std::string text = line_text(shown, cell_text, cell);
    add_finding(lines, error.level, error.message, shown, text);
    if (&shown != &error) {
        if (cell_of_file_name(error.place.file) > 0)
            add_note(error);
        else
            lines.push_back("found in " + short_place(error.place));
    }
    if (verbose) {
        for (const Finding& note : error.notes) add_note(note);
    } else if (const Finding* note = helpful_note(error, shown)) {
        add_note(*note);
    }
    add_hint(lines, hint_for(error, text));
}

bool is_unknown_name(const Finding& error) {
    return has_one(error.message, "undeclared identifier|unknown type name|no template named") ||
           (has_one(error.message, "no member named") && has_one(error.message, "in namespace"));
}

bool is_keyword(llvm::StringRef word) {
    clang::LangOptions options;
    options.CPlusPlus = 1;
    return clang::IdentifierTable(options).get(word).isKeyword(options);
}

// clang proposes keywords, and names that happen to look alike where only a header is missing:
// 'for' for 'foo', 'max' for 'map'.
void drop_bad_suggestion(Finding& error) {
    const auto [said, proposal] = llvm::StringRef(error.message).split("; did you mean '");
    if (proposal.empty() || !is_unknown_name(error)) return;
    const llvm::StringRef name = said.split('\'').second.split('\'').first;
    const llvm::StringRef meant = proposal.split('\'').first;
    const bool header_missing =
        has_one(said, "in namespace 'std'") && !header_of_std_name(name).empty();
    // The same name in a library: more often the student's own is meant, and its cell was not run
    // yet.
    const bool elsewhere = meant.ends_with(("::" + name).str()) && !meant.starts_with("std::");
    if (!is_keyword(meant) && !header_missing && !elsewhere) return;
    if (elsewhere) error.meant = meant.str();
    error.message = said.str();
    error.fixits.clear();
    error.notes.clear();
}

// Errors worth a line: not said before, and not what an unknown name or a template leads to at the
// same place.
std::vector<Finding> main_errors(const std::vector<Finding>& findings, int cell) {
    std::vector<Finding> errors;
    std::set<std::string> seen;  // places with messages
    std::set<std::string> places;
    std::set<std::string>
        unknown_lines;  // lines with an unknown name: what follows there is mostly its consequence
    for (Finding error : findings) {
        if (error.level < Level::error) continue;
        drop_bad_suggestion(error);
        const Finding& shown = *place_in_cell(error, cell);
        const std::string line = shown.place.file + ":" + std::to_string(shown.place.line);
        const std::string place = line + ":" + std::to_string(shown.place.column);
        const bool unknown = is_unknown_name(error);
        // clang tells the way to a template once; what follows from the same template comes without
        // it.
        if (shown.in_system_header && cell_of_file_name(shown.place.file) == 0 && !errors.empty())
            continue;
        if (!seen.insert(line + ":" + error.message).second) continue;
        if (shown.place.line > 0 &&
            (places.count(place) > 0 || (!unknown && unknown_lines.count(line) > 0)))
            continue;
        places.insert(place);
        if (unknown) unknown_lines.insert(line);
        errors.push_back(std::move(error));
    }
    return errors;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Calls change(begin, end) for each word that begins with `prefix`; it returns where to go on.
template <class Change>
void for_each_word(std::string& text, std::string_view prefix, const Change& change) {
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
        std::size_t end = at;
        while (end < text.size() && is_word(text[end])) ++end;
        at = at > 0 && is_word(text[at - 1]) ? end : change(at, end);
    }
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

// "'P' (aka 'P')": the two differed by a name that we generate.
void drop_repetitions(std::string& text) {
    constexpr std::string_view middle = "' (aka '";
    for (std::size_t at = text.find(middle); at != std::string::npos;
         at = text.find(middle, at + 1)) {
        const std::size_t begin = at == 0 ? std::string::npos : text.rfind('\'', at - 1);
        if (begin == std::string::npos) continue;
        const std::string again =
            std::string(middle) + text.substr(begin + 1, at - begin - 1) + "')";
        if (text.compare(at, again.size(), again) == 0) text.erase(at + 1, again.size() - 1);
    }
}

}  // namespace

bool has_one(std::string_view text, std::string_view parts) {
    return llvm::any_of(llvm::split(parts, '|'),
                        [&](llvm::StringRef part) { return llvm::StringRef(text).contains(part); });
}

std::string without_generated_names(std::string text) {
    for_each_word(text, cell_namespace_prefix, [&](std::size_t begin, std::size_t end) {
        const std::string word = text.substr(begin, end - begin);
        if (unit_of_namespace_name(word) == 0 || text.compare(end, 2, "::") != 0) return end;
        text.erase(begin, end + 2 - begin);
        return begin;
    });
    for_each_word(text, "__xcpp_", [&](std::size_t begin, std::size_t end) {
        if (begin > 0 && text[begin - 1] == '\'' && text.compare(end, 1, "'") == 0) --begin, ++end;
        text.replace(begin, end - begin, "the cell");
        return begin;
    });
    replace_all(text, "xcpp::detail::", "");
    drop_repetitions(text);
    replace_all(text, " (aka 'basic_string<char>')", "");
    replace_all(text, " (aka 'const basic_string<char>')", "");
    replace_all(text, "'ostream' (aka 'basic_ostream<char>')", "'std::ostream'");
    replace_all(text, "'istream' (aka 'basic_istream<char>')", "'std::istream'");
    replace_all(text, "std::basic_string<char>", "std::string");
    replace_all(text, "std::__cxx11::", "std::");
    return text;
}

bool has_errors(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& finding) { return finding.level >= Level::error; });
}

CompileReport render_errors(const std::vector<Finding>& findings, std::string_view cell_text,
                            int cell, bool verbose) {
    CompileReport report;
    std::vector<Finding> errors;
    if (verbose)
        std::copy_if(findings.begin(), findings.end(), std::back_inserter(errors),
                     [](const Finding& finding) { return finding.level >= Level::error; });
    else
        errors = main_errors(findings, cell);
    if (errors.empty()) {
        report.evalue = "the compiler refused the cell without saying why";
        report.traceback = {headline({}, Level::error, report.evalue)};
        return report;
    }
    const SourcePlace& first = place_in_cell(errors[0], cell)->place;
    report.evalue = errors[0].message;
    if (cell_of_file_name(first.file) == cell && first.line > 0)
        report.evalue = "line " + std::to_string(first.line) + ": " + report.evalue;
    else if (first.line > 0)
        report.evalue = short_place(first) + ": " + report.evalue;
    const std::size_t shown = verbose ? errors.size() : std::min(errors.size(), shown_errors);
    for (std::size_t i = 0; i < shown; ++i)
        add_error(report.traceback, errors[i], cell_text, cell, verbose);
    if (const std::size_t more = errors.size() - shown)
        report.traceback.push_back("and " + std::to_string(more) +
                                   (more == 1 ? " more error" : " more errors") +
                                   "; %%verbose shows all");
    return report;
}

std::string render_warnings(const std::vector<Finding>& findings, std::string_view cell_text,
                            int cell, bool verbose) {
    std::vector<std::string> lines;
    std::size_t count = 0;
    for (const Finding& finding : findings) {
        if (finding.level != Level::warning ||
            (cell_of_file_name(finding.place.file) == 0 && !verbose))
            continue;
        if (++count > shown_warnings && !verbose) continue;
        const std::string text = line_text(finding, cell_text, cell);
        add_finding(lines, Level::warning, finding.message, finding, text);
        add_hint(lines, hint_for(finding, text));
    }
    if (count > shown_warnings && !verbose)
        lines.push_back("and " + std::to_string(count - shown_warnings) +
                        " more; %%verbose shows all");
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

CompileReport render_own_error(const std::string& file, std::string_view text,
                               std::string_view message, unsigned line, unsigned column,
                               std::string_view hint) {
    Finding finding;
    finding.message = message;
    finding.place = {file, line, column};
    CompileReport report;
    const std::string place =
        cell_of_file_name(file) > 0 ? "line " + std::to_string(line) : short_place(finding.place);
    report.evalue = (line > 0 ? place + ": " : "") + finding.message;
    add_finding(report.traceback, Level::error, finding.message, finding, line_of(text, line));
    if (!hint.empty()) report.traceback.push_back(hint_line(hint));
    return report;
}

std::string problem_of_precompiled_file(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings)
        if (finding.level >= Level::error &&
            has_one(finding.message, "malformed or corrupted|malformed AST|corrupted AST"))
            return finding.message;
    return {};
}

std::vector<std::string> warning_flags() {
    return {
        "-Wall",
        "-Wimplicit-fallthrough",
        // A cell keeps things for later cells and shows values: -Wunused would be noise.
        "-Wno-unused",
        "-Wunused-comparison",
        "-Wunused-value",   // of these the collector keeps a[i, j]
        "-Wunused-result",  // [[nodiscard]]
        "-Wno-sign-compare",
        "-Wno-missing-braces",
        "-Wno-unknown-pragmas",
        "-Wno-unqualified-std-cast-call",
        "-Wno-macro-redefined",   // a cell may be run again
        "-Wno-null-dereference",  // says that it "will be deleted": cells are compiled so that it
                                  // faults
        "-Wno-undefined-inline",
        "-Wno-undefined-internal",
        "-Wno-deprecated-no-relaxed-template-template-args",
    };
}

}  // namespace xcpp_session
