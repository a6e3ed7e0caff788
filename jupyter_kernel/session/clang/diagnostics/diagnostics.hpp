// What the compiler found in a cell, and how it is told to the person who wrote it: short, with the
// cell's own line, and a hint. No clang in here: diagnostics_collector.hpp fills the findings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

enum class Level { note, warning, error };

// Lines and columns count from 1, columns in bytes; 0: unknown.
struct SourcePlace {
    std::string file;
    unsigned line = 0;
    unsigned column = 0;
};

// Columns first..last of the line of a finding, both included.
struct ColumnRange {
    unsigned first = 0;
    unsigned last = 0;
};

// Put `text` in the place of `range`; an empty range (last < first) inserts before `first`.
struct FixIt {
    ColumnRange range;
    std::string text;
};

// A type that cells have defined several times, in a message that speaks of two of them.
struct Redefined {
    std::string name;
    int older = 0, newer = 0;       // cells
    bool older_comes_last = false;  // "no known conversion from 'P' to 'P'": the newer to the older
};

struct Finding {
    Level level = Level::error;
    std::string message;      // without the names that we generate
    SourcePlace place;        // file is "In[N]" for text of a cell
    std::string source_line;  // the text of that line as the compiler read it
    std::vector<ColumnRange> ranges;
    std::vector<FixIt> fixits;
    bool in_system_header = false;
    std::string meant;    // what clang proposed for an unknown name, where the message does not say
                          // so any more
    Redefined redefined;  // name is empty as a rule
    std::vector<Finding> notes;  // of an error or a warning
};

struct CompileReport {
    std::string evalue;                  // one line: "line 3: use of undeclared identifier 'foo'"
    std::vector<std::string> traceback;  // lines, with ANSI colours
};

// Is one of these parts, separated by |, in the text?
bool has_one(std::string_view text, std::string_view parts);

// The compiler's words without the names that we generate: "__c12::", "__xcpp_…",
// "xcpp::detail::…".
std::string without_generated_names(std::string text);

// The first three errors, or with `verbose` all that the compiler said. `cell_text` is the text of
// the cell that was run, `cell` its number.
CompileReport render_errors(const std::vector<Finding>& findings, std::string_view cell_text,
                            int cell, bool verbose = false);

// Warnings that lie in cells, as text with ANSI colours; empty when there are none.
std::string render_warnings(const std::vector<Finding>& findings, std::string_view cell_text,
                            int cell, bool verbose = false);

// From the words of the JIT ("Symbols not found: [ _Z3foov ]").
CompileReport render_link_error(std::string_view text);

// An error that we found ourselves before the compiler saw the text of the cell or header `file`
// (see completeness.hpp).
CompileReport render_own_error(const std::string& file, std::string_view text,
                               std::string_view message, unsigned line, unsigned column,
                               std::string_view hint = {});

// Compiler arguments: -Wall without what is noise in notebooks.
std::vector<std::string> warning_flags();

// What clang says of a precompiled header that is damaged; "" if the errors are others.
std::string problem_of_precompiled_file(const std::vector<Finding>& findings);

bool has_errors(const std::vector<Finding>& findings);

}  // namespace xcpp_session
