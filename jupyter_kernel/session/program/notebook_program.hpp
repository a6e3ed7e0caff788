// A notebook as one C++ program, for a batch job or a machine without Jupyter: the cells in their
// order, taken apart as the session does it.
//
// Statements stand in functions, called by the initialiser of a variable, so that they run between
// the initialisers of the notebook's variables: one file, so their order is that of the cells. A
// name that two cells define cannot be said in one program: both cells are named, and nothing is
// written.
#pragma once

#include "session/clang/compiler/interpreter.hpp"

#include <string>

namespace xcpp_session {

// xcpp17-session --program NOTEBOOK [-o FILE]: the process's exit status. Messages go to stderr,
// the program to FILE or stdout.
int write_program(const InterpreterOptions& options, const std::string& notebook,
                  const std::string& file);

}  // namespace xcpp_session
