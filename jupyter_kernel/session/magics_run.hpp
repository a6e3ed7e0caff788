// Magics that need no interpreter.
#pragma once

#include "magics.hpp"

#include <string>
#include <vector>

namespace xcpp_session {

struct MagicOutcome {
    bool ok = true;
    std::string output;  // to show; what a shell command prints goes straight to descriptors 1 and 2
    std::string ename;   // not ok: FileError, ShellError, CompileError, UnknownMagic, …
    std::string evalue;
};

MagicOutcome write_file(const std::string& name, const std::string& text, bool append);

// /bin/sh -c command, standard input /dev/null, SIGINT as by default. `interrupted` (may be null) is asked while it runs; once it says true the
// command's process group gets SIGINT, and SIGKILL a second later.
MagicOutcome run_shell(const std::string& command, bool (*interrupted)() = nullptr, const char* shell = "/bin/sh");

// clang++-19 with the flags of cells. A source without main() gets one: its statements are not moved, so it must have one. `folder`: where the
// compiler's words about "name.cpp" point.
MagicOutcome build_executable(const std::string& source, const std::string& name, const std::vector<std::string>& compiler_arguments,
                              const std::vector<std::string>& flags, bool (*interrupted)() = nullptr);

MagicOutcome change_folder(const std::string& folder);
MagicOutcome show_folder();
MagicOutcome environment(const std::string& argument);

}  // namespace xcpp_session
