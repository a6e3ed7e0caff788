#include "diagnostics.hpp"

#include "diagnostics_picture.hpp"
#include "hints.hpp"
#include "session/base/cell_names.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>

namespace xcpp_session {
namespace {

constexpr std::size_t shown_errors = 3;
constexpr std::size_t shown_warnings = 5;

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// Cells are numbered upwards: the highest number named is the cell that was run.
int newest_cell(const std::vector<Finding>& findings) {
    int cell = 0;
    for (const Finding& finding : findings) {
        cell = std::max(cell, cell_of_file_name(finding.place.file));
        for (const Finding& note : finding.notes)
            cell = std::max(cell, cell_of_file_name(note.place.file));
    }
    return cell;
}

bool is_backtrace(const Finding& note) {
    return contains(note.message, "requested here") ||
           contains(note.message, "in instantiation of") || contains(note.message, "in call to");
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

int worth(const Finding& note) {
    for (const std::string_view noise :
         {"expanded from", "substitution failure", "skipping ", "use -f", "insert an explicit cast",
          "to silence this warning", "place parentheses"})
        if (contains(note.message, noise)) return 0;
    if (is_backtrace(note)) return 0;
    const int own = cell_of_file_name(note.place.file) > 0 ? 10 : 0;
    // In the headers of a library only signatures are news to a user.
    if (own == 0 && note.place.file.find('/') != std::string::npos &&
        !contains(note.message, "not viable") && !contains(note.message, "candidate"))
        return 0;
    if (contains(note.message, "not viable") && !contains(note.message, "implicit copy") &&
        !contains(note.message, "implicit move"))
        return 4 + own;
    if (contains(note.message, "declared here") || contains(note.message, "to match this") ||
        contains(note.message, "previous definition"))
        return 3 + own;
    if (contains(note.message, "unimplemented pure virtual")) return 4 + own;
    if (contains(note.message, "candidate template ignored")) return 1 + own;
    return 2 + own;
}

const Finding* helpful_note(const Finding& error, const Finding& shown) {
    const Finding* best = nullptr;
    // Operators have dozens of candidates in the standard library, none of them meant.
    const bool own_only = contains(error.message, "invalid operands") ||
                          contains(error.message, "no viable overloaded") ||
                          contains(error.message, "no viable conversion");
    for (const Finding& note : error.notes) {
        if (&note == &shown || worth(note) == 0) continue;
        if (own_only && cell_of_file_name(note.place.file) == 0) continue;
        if (note.place.line != 0 && note.place.file == shown.place.file &&
            note.place.line == shown.place.line && contains(note.message, "declared here"))
            continue;
        if (!best || worth(note) > worth(*best)) best = &note;
    }
    return best;
}

std::string line_text(const Finding& finding, std::string_view cell_text, int cell) {
    if (cell_of_file_name(finding.place.file) == cell && cell > 0)
        return line_of(cell_text, finding.place.line);
    return finding.source_line;
}

void add_note(std::vector<std::string>& lines, const Finding& note, std::string_view cell_text,
              int cell, bool picture) {
    lines.push_back(headline(note.place, Level::note, note.message));
    if (picture)
        for (std::string& line : draw(line_text(note, cell_text, cell), note))
            lines.push_back(std::move(line));
}

// Once is enough: the errors that follow from one mistake have the same.
void add_hint(std::vector<std::string>& lines, const std::string& hint) {
    if (!hint.empty() && std::find(lines.begin(), lines.end(), hint_line(hint)) == lines.end())
        lines.push_back(hint_line(hint));
}

void add_error(std::vector<std::string>& lines, const Finding& error, std::string_view cell_text,
               int cell, bool verbose) {
    const Finding& shown = *place_in_cell(error, cell);
    const std::string text = line_text(shown, cell_text, cell);
    lines.push_back(headline(shown.place, error.level, error.message));
    for (std::string& line : draw(text, shown)) lines.push_back(std::move(line));
    if (&shown != &error) {
        if (cell_of_file_name(error.place.file) > 0)
            add_note(lines, error, cell_text, cell, true);
        else
            lines.push_back(faint("found in " + short_place(error.place)));
    }
    if (verbose) {
        for (const Finding& note : error.notes) add_note(lines, note, cell_text, cell, true);
    } else if (const Finding* note = helpful_note(error, shown)) {
        add_note(lines, *note, cell_text, cell, true);
    }
    add_hint(lines, hint_for(error, text));
}

bool is_unknown_name(const Finding& error) {
    return contains(error.message, "undeclared identifier") ||
           contains(error.message, "unknown type name") ||
           contains(error.message, "no template named") ||
           (contains(error.message, "no member named") && contains(error.message, "in namespace"));
}

// clang proposes keywords, and names that happen to look alike where only a header is missing:
// 'for' for 'foo', 'max' for 'map'.
void drop_bad_suggestion(Finding& error) {
    const std::size_t at = error.message.find("; did you mean '");
    if (at == std::string::npos || !is_unknown_name(error)) return;
    const std::size_t first = error.message.find('\'');
    const std::string name =
        error.message.substr(first + 1, error.message.find('\'', first + 1) - first - 1);
    const std::string meant =
        error.message.substr(at + 16, error.message.find('\'', at + 16) - at - 16);
    static const std::set<std::string_view> keywords = {
        "for",    "if",     "do",     "int",    "this",   "true",   "false",  "new",
        "auto",   "char",   "bool",   "enum",   "else",   "case",   "try",    "goto",
        "long",   "void",   "float",  "short",  "union",  "using",  "while",  "break",
        "class",  "const",  "delete", "double", "asm",    "catch",  "static", "struct",
        "switch", "return", "sizeof", "signed", "inline", "typeid", "throw"};
    const bool header_missing =
        contains(error.message, "in namespace 'std'") && !header_of_std_name(name).empty();
    // The same name in a library: more often the student's own is meant, and its cell was not run
    // yet.
    const bool elsewhere = meant.size() > name.size() + 2 &&
                           meant.compare(meant.size() - name.size() - 2, 2, "::") == 0 &&
                           meant.compare(meant.size() - name.size(), name.size(), name) == 0 &&
                           meant.compare(0, 5, "std::") != 0;
    if (keywords.count(meant) == 0 && !header_missing && !elsewhere) return;
    if (elsewhere) error.meant = meant;
    error.message.erase(at);
    error.fixits.clear();
    error.notes.clear();
}

// Errors worth a line: not said before, and not what an unknown name or a template leads to at the
// same place.
std::vector<Finding> main_errors(const std::vector<Finding>& findings, int cell) {
    std::vector<Finding> errors;
    std::set<std::string> told;  // places with messages
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
        if (!told.insert(line + ":" + error.message).second) continue;
        if (shown.place.line > 0 &&
            (places.count(place) > 0 || (!unknown && unknown_lines.count(line) > 0)))
            continue;
        places.insert(place);
        if (unknown) unknown_lines.insert(line);
        errors.push_back(std::move(error));
    }
    return errors;
}

// Drops "__c5::", everywhere.
void drop_cell_namespaces(std::string& text) {
    constexpr std::string_view prefix = cell_namespace_prefix;
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
        std::size_t end = at + prefix.size();
        while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
        const bool starts_name =
            at == 0 ||
            (!std::isalnum(static_cast<unsigned char>(text[at - 1])) && text[at - 1] != '_');
        if (starts_name && end > at + prefix.size() && text.compare(end, 2, "::") == 0)
            text.erase(at, end + 2 - at);
        else
            at = end;
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

std::string without_generated_names(std::string text) {
    drop_cell_namespaces(text);
    constexpr std::string_view prefix = "__xcpp_";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
        std::size_t end = at;
        while (end < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
            ++end;
        const bool quoted =
            at > 0 && text[at - 1] == '\'' && end < text.size() && text[end] == '\'';
        text.replace(quoted ? at - 1 : at, end - at + (quoted ? 2 : 0), "the cell");
    }
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
                            bool verbose, int cell) {
    CompileReport report;
    if (cell == 0) cell = newest_cell(findings);
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
        report.traceback.push_back(faint("and " + std::to_string(more) +
                                         (more == 1 ? " more error" : " more errors") +
                                         "; %%verbose shows all"));
    return report;
}

std::string render_warnings(const std::vector<Finding>& findings, std::string_view cell_text,
                            bool verbose, int cell) {
    if (cell == 0) cell = newest_cell(findings);
    std::vector<std::string> lines;
    std::size_t count = 0;
    for (const Finding& finding : findings) {
        if (finding.level != Level::warning ||
            (cell_of_file_name(finding.place.file) == 0 && !verbose))
            continue;
        if (++count > shown_warnings && !verbose) continue;
        const std::string text = line_text(finding, cell_text, cell);
        lines.push_back(headline(finding.place, Level::warning, finding.message));
        for (std::string& line : draw(text, finding)) lines.push_back(std::move(line));
        add_hint(lines, hint_for(finding, text));
    }
    if (count > shown_warnings && !verbose)
        lines.push_back(
            faint("and " + std::to_string(count - shown_warnings) + " more; %%verbose shows all"));
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
    report.traceback.push_back(headline(finding.place, Level::error, finding.message));
    for (std::string& shown : draw(line_of(text, line), finding))
        report.traceback.push_back(std::move(shown));
    if (!hint.empty()) report.traceback.push_back(hint_line(hint));
    return report;
}

std::vector<std::string> warning_flags() {
    return {
        "-Wall",
        "-Wimplicit-fallthrough",
        // A cell keeps things for later cells and shows values: unused is no news there.
        "-Wno-unused",
        "-Wunused-comparison",
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
