// Why a program of %%run crashed: reads what include/xcpp/run.hpp has recorded.
#pragma once

#include "magics_run.hpp"

#include <map>
#include <string>

namespace xcpp_session {

// ok if no process of the program crashed. Else the error names ranks, signal or exception, and the
// line. folder: XCPP_RUN_FOLDER; program: its file; sources: the texts of cells by their numbers.
MagicOutcome describe_crashes(const std::string& folder, const std::string& program,
                              const std::map<int, std::string>& sources);

}  // namespace xcpp_session
