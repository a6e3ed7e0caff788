// The table of magics: lines of a cell that are not C++ (%name, %%name, !command, ?name). The
// Jupyter kernel's own rows are in session/magic_table.cpp; libraries add theirs by xcpp_add_magic
// (include/xcpp/capi.h).
#pragma once

#include "xcpp/capi.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xcpp_wire {
struct Result;
}

namespace xcpp_session {

class Session;  // passed on to `run`; nothing in this folder uses it
struct MagicKind;

// One magic of a cell, with its arguments.
struct Magic {
    const MagicKind* kind = nullptr;  // its row; null: C++, or an unknown name
    std::string name;                 // as typed, with its %: "%timeit"; empty: C++
    std::string argument;             // what `MagicKind::read` makes of the first line
    unsigned argument_column = 1;     // in bytes of the cell's line
    std::string body;                // text after a cell magic's first line; %timeit: the statement
    unsigned body_line = 1;          // the cell's line on which body starts
    unsigned body_column = 1;        // in bytes of the cell's line
    std::vector<std::string> words;  // %%executable: flags of the compiler; %%run: the command
    std::vector<std::string> program_arguments;  // %%run: for the program itself
    bool tagged = false;                         // %%run --tag
    bool append = false;                         // %%file -a
    int detail = 0;                              // 1 for ??name
    long loops = 0;     // %timeit -n; 0: chosen so that a run takes long enough
    int repeats = 7;    // %timeit -r
    std::string error;  // not empty: it cannot be run, and why

    bool is_cpp() const { return name.empty(); }
};

// C++ in the place of a magic.
struct MagicCode {
    std::string text;
    unsigned line = 1;     // the cell's line that its first line counts as
    bool verbose = false;  // all that the compiler says is shown
};

// Of a magic, for Tab and Shift-Tab.
enum class CppPart { none, statement, body, argument_and_body };

// A row of the table.
struct MagicKind {
    std::string name;            // "%timeit", "%%file", "!", "?"
    std::string usage, meaning;  // for %lsmagic

    // Reads `rest`, what follows the name on its line. Null: all of it becomes Magic::argument. A
    // wrong argument sets Magic::error.
    void (*read)(Magic& magic, std::string_view rest) = nullptr;

    // Either the C++ that stands for the magic, which a program made of the notebook contains, too
    // (throws std::runtime_error if the magic is wrong) ...
    MagicCode (*cpp)(const Magic& magic) = nullptr;
    // ... or what the session does; a program leaves it out.
    xcpp_wire::Result (*run)(Session& session, const Magic& magic) = nullptr;

    CppPart cpp_part = CppPart::none;  // what Tab completes
    bool in_compile_only = false;      // run also where cells are only compiled (XCPP_COMPILE_ONLY)

    // Of a library; see xcpp_add_magic.
    xcpp_magic_translator translate = nullptr;
    void* user = nullptr;
    std::optional<std::string> declarations = {};  // nothing: its text is not completed
};

// A row of that name is replaced.
void add_magic(MagicKind kind);
// False if the name is not %% and a word, or that of a magic of the Jupyter kernel.
bool add_library_magic(std::string name, std::string usage, std::string meaning,
                       xcpp_magic_translator translate, void* user,
                       std::optional<std::string> declarations);

const MagicKind* find_magic(std::string_view name);  // null: there is none
const std::deque<MagicKind>& magics();

// "%timeit", "%%file", … for completion and help.
std::vector<std::string> magic_names();
std::string magics_help();

// "%timeit" of "%timeit f()", "%%file" of "%%file a"
std::string_view magic_name_of(std::string_view line);

}  // namespace xcpp_session
