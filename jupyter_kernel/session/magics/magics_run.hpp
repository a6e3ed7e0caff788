// What magics do that need no interpreter.
#pragma once

#include "session/text/magic_lines.hpp"

#include <string>
#include <vector>

namespace xcpp_session {

struct MagicOutcome {
    bool ok = true;
    std::string output = {};  // to show; what a shell command prints is shown already
    std::string ename = {};   // not ok: FileError, ShellError, CompileError, Interrupted, …
    std::string evalue = {};
    std::vector<std::string> traceback = {};  // empty: ename and evalue say it all
};

using Interrupted = bool (*)();

MagicOutcome write_file(const std::string& name, const std::string& text, bool append);

// `shell -c command`, standard input /dev/null, SIGINT as by default. `interrupted` (may be null)
// is asked while it runs; once it says true the command and what it started get SIGINT, and SIGKILL
// a second later. Another exit status than 0 is told in output, and is not an error unless
// `must_succeed`.
MagicOutcome run_shell(const std::string& command, Interrupted interrupted = nullptr,
                       const char* shell = "/bin/sh", bool must_succeed = false);

MagicOutcome change_folder(const std::string& folder);
MagicOutcome show_folder();
MagicOutcome environment(const std::string& argument);

}  // namespace xcpp_session
