// Lines that are no C++: %magic, %%magic, !shell, ?name. Which of them a cell holds; doing it is in
// magics/magics_run.hpp or needs the interpreter.
#pragma once

#include "library_magics.hpp"
#include "tokens.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

enum class MagicKind {
    none,           // C++
    timeit,         // %timeit [-n N] [-r R] statement
    cell_timeit,    // %%timeit [-n N] [-r R] / body
    file,           // %%file [-a] name / body
    executable,     // %%executable name [-- flags] / body
    who,            // %who
    undo,           // %undo
    verbose,        // %%verbose / body: C++ of which all that the compiler says is shown
    help,           // %lsmagic, %help
    inspect,        // ?name, name?
    shell,          // !command, %%bash, %%sh
    change_folder,  // %cd folder
    show_folder,    // %pwd
    environment,    // %env, %env NAME, %env NAME=value
    library,        // %%name of a library (library_magics.hpp) / body
    unknown,        // error says which magic was meant
};

struct Magic {
    MagicKind kind = MagicKind::none;
    std::string name;        // as typed, with its %: "%timeit"
    std::string argument;    // inspect: the name; shell: the command; file, executable: the file's
                             // name; %cd, %env, library: the rest of the line
    std::string body;        // text after a cell magic's first line; %timeit: the statement
    unsigned body_line = 1;  // the cell's line on which body starts
    unsigned body_column = 1;  // in bytes of the cell's line
    std::string prelude;  // %%executable: what earlier cells declare, for the caller to fill in
    std::vector<std::string> flags;  // %%executable name -- flags
    bool append = false;             // %%file -a
    int detail = 0;                  // inspect: 1 for ??name
    long loops = 0;                  // %timeit -n; 0: chosen so that a run takes long enough
    int repeats = 7;                 // %timeit -r
    std::string error;               // not empty: it cannot be run, and why
};

// One piece of a cell: C++ or one magic.
struct Segment {
    Magic magic;          // kind none: C++
    SourceText source{};  // C++
    unsigned line = 1;    // the cell's line on which the C++ starts
};

// A cell may hold !shell and %magic lines between its C++. They count only where a statement has
// ended, outside of all brackets: there neither ! nor % can be an operator. A cell of C++ alone is
// one segment.
std::vector<Segment> split_magics(const std::string& code);

// The magic that the whole cell is; kind none if it is C++, or several things.
Magic parse_magic(const std::string& code);

// True if this line, outside of all brackets and behind the token `previous`, is no C++. It is
// given without its indentation.
bool starts_magic(std::string_view line, bool indented, const Token& previous);

// "%timeit", "%%file", … for completion and help; those of libraries, too.
std::vector<std::string> magic_names();
std::string magics_help();

// C++ that measures the body of a %timeit or %%timeit: calls xcpp::detail::timeit of the preamble.
// The body starts on the second line, in the column that it has in the cell.
std::string timeit_code(const Magic& magic);

// C++ in the place of a library's magic; its first line counts as that of the magic. Throws
// std::runtime_error with the library's words if it refuses the cell.
std::string library_code(const Magic& magic);

// False if the name cannot be that of a library's magic, see xcpp_add_magic.
bool add_library_magic(LibraryMagic magic);

}  // namespace xcpp_session
