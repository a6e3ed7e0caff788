// A notebook as one C++ program, for a batch job or a machine without Jupyter: the cells in their
// order, taken apart as the session does it.
//
// Statements stand in functions, called by the initialiser of a variable, so that they run between
// the initialisers of the notebook's variables: one file, so their order is that of the cells. A
// name that two cells define cannot be said in one program: both cells are named, and nothing is
// written.
#pragma once

#include "session/compiler/interpreter.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace xcpp_session {

// The text says what is wrong and in which cell.
struct NoProgram : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct NotebookProgram {
    std::string text;
    std::vector<std::string> notes;  // what was left out, and where
};

struct NotebookCell {
    std::string source;
    bool fails_on_purpose = false;  // nbval's and nbclient's tag raises-exception: left out of a
                                    // program, which would end there
};

// Each code cell. Throws NoProgram where the file is no notebook.
std::vector<NotebookCell> code_cells(const std::string& file);

// name: of the notebook, as errors shall call it. Cells are compiled to learn what their names
// stand for, and not run. Throws NoProgram.
NotebookProgram make_program(Interpreter& interpreter, const std::string& name,
                             const std::vector<NotebookCell>& cells);

// xcpp17-session --program NOTEBOOK [-o FILE]: the process's exit status. Messages go to stderr,
// the program to FILE or stdout.
int write_program(const InterpreterOptions& options, const std::string& notebook,
                  const std::string& file);

}  // namespace xcpp_session
