// %%run: a program made of a cell, started by a command such as `mpirun -n 4`. %%tsan and %%asan:
// the same under a sanitizer.
#pragma once

#include "program_build.hpp"

#include <map>
#include <string>

namespace xcpp_session {

// What the program prints appears while it runs. Nothing of it is left when this returns: neither a
// file nor a process, also if it was interrupted. sources: the texts of cells, by their numbers.
MagicOutcome run_program(const Magic& magic, const ProgramParts& parts,
                         const std::map<int, std::string>& sources);

enum class Sanitizer { thread, address };

// %%tsan, %%asan: the same program, without a command, under a sanitizer of clang. What it finds is
// an error that names cells and lines. shows_output: what the program prints is shown.
MagicOutcome run_sanitized(const Magic& magic, const ProgramParts& parts, Sanitizer sanitizer,
                           bool shows_output = true);

}  // namespace xcpp_session
