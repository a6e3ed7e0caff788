// Text in, machine code out: clang's interpreter with the workarounds that clang 19 needs. The
// only class that uses it.
//
// After a failed compile the object is poisoned (half of a template may be there): the session that
// holds it must give way to its frozen copy.
#pragma once

#include "session/base/code_line.hpp"
#include "session/base/machine_code.hpp"
#include "session/clang/diagnostics/diagnostics.hpp"
#include "session/clang/names/session_names.hpp"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace xcpp_session {

struct InterpreterOptions {
    std::vector<std::string> arguments;       // for the compiler
    std::vector<std::string> libraries;       // loaded before the first cell
    std::vector<std::string> instantiations;  // libraries that hold common template functions
    std::string pch;                          // precompiled header, may be empty
    std::string pch_header;  // the text it was made of: used where the PCH does not fit
    std::string pch_advice = "`make build` builds it again.";  // if it does not fit
    std::string pch_problem;     // not empty: the PCH was tried and does not fit
    std::string header_problem;  // not empty: its text was tried, too, and does not compile
    std::function<void(const std::string& problem)>
        on_bad_pch;  // starts the process again: clang 19 does not survive a PCH that does not fit
    std::function<void(const std::string& problem)>
        on_bad_header;  // starts the process again without the text of the PCH
    std::function<void(const std::string& evalue)>
        on_error;               // at each error, while the compiler still runs
    bool compile_only = false;  // cells are parsed and checked, no machine code is made
};

struct CompileFailed : std::runtime_error {
    explicit CompileFailed(std::vector<Finding> what_was_found)
        : std::runtime_error("the cell does not compile"), findings(std::move(what_was_found)) {}
    std::vector<Finding> findings;
};

struct LinkFailed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What clang said last while it was created or read the text of the PCH; for a signal handler, as
// clang 19 may crash right after.
const char* problem_while_loading();

class Interpreter {
public:
    // Throws std::runtime_error where the compiler cannot be started at all. A PCH that does not
    // fit is left out, see notes().
    explicit Interpreter(const InterpreterOptions& options);
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    using Entry = std::function<void()>;
    // Compiles and links. The entry runs the initialisers, in order. map_column: see
    // DiagnosticCollector. unit: see SessionNames. once: see runs_once() in reuse/. Throws
    // CompileFailed or LinkFailed. lines: what the code was compiled from.
    Entry compile(const std::string& text, int unit, int cell, const std::string& cell_text,
                  const std::function<unsigned(unsigned, unsigned)>& map_column, bool once,
                  std::vector<CodeLine>& lines);

    // Compiles statements and does not run them: what they need of the precompiled header is there
    // afterwards. Throws as compile does.
    void warm_up(const std::string& statements);
    bool has_precompiled_header() const;

    // Warnings of the last compile.
    std::vector<Finding> take_findings();

    // Errors do not matter, the interpreter is of no use afterwards: for completion in a copy that
    // is thrown away.
    void parse_and_forget(const std::string& text);
    // Only for its effect on the preprocessor (#define, #include) and on `#pragma xcpp branch N`:
    // gives the numbers that were met. What its headers define is compiled: the entry that compile
    // gives next runs their initialisers, too.
    std::vector<int> branches_taken(const std::string& text, int cell,
                                    const std::string& cell_text);

    clang::CompilerInstance& compiler();
    clang::ASTContext& syntax_tree();
    SessionNames& names();
    const std::vector<std::string>& notes() const;  // what a user should know about the start
    const std::vector<std::string>& arguments() const;

    // Where the code of a function of a cell lies; null where there is none.
    const void* address_of(const clang::FunctionDecl* function);

    // Its code, and that of parts which the compiler made functions (a parallel loop of OpenMP).
    // Empty if it has none: it was inlined, or is not used.
    std::vector<FunctionCode> machine_code(const clang::FunctionDecl* function);

    // Throws LinkFailed with the places that were tried.
    void load_library(const std::string& name);
    const std::vector<std::string>& libraries() const;  // what it has loaded: names for dlopen
    void add_include_path(const std::string& folder);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace xcpp_session
