// A program made of a cell and of what earlier cells declare: for %%executable and %%run.
#pragma once

#include "magics_run.hpp"

#include <string>
#include <vector>

namespace xcpp_session {

// What a program is made of, besides the magic's own text.
struct ProgramParts {
    int cell = 0;                             // the number of the magic's cell
    std::string prelude;                      // what earlier cells declare
    std::vector<std::string> arguments;       // of the compiler, as for cells
    std::vector<std::string> libraries = {};  // files that the session has loaded
    Interrupted interrupted = nullptr;
};

// A folder that is removed with this object; if the process is killed before, the front does it.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::string& path() const { return path_; }
    const std::string& error() const { return error_; }  // not empty: there is none

private:
    std::string path_, error_;
};

// The text of the program. The statements of a cell without main() become the body of one, as in
// other Jupyter kernels; directives, definitions and variables stay in front.
std::string program_source(const Magic& magic, const ProgramParts& parts);

// Runs clang++-19 with the arguments of cells that mean something outside of the interpreter, and
// `more`. The outcome's output is what the compiler says.
MagicOutcome run_compiler(const ProgramParts& parts, const std::vector<std::string>& more,
                          const ScratchFolder& folder);

// %%executable
MagicOutcome build_executable(const Magic& magic, const ProgramParts& parts);

}  // namespace xcpp_session
