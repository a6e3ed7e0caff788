// The report of a sanitizer, as a reader of cells needs it.
#pragma once

#include "magics_run.hpp"

#include <string>

namespace xcpp_session {

// ok if the report is empty. Else ename is "ThreadSanitizer" or "AddressSanitizer", evalue what was
// found first and its line, traceback the report: of the stacks only the lines of cells, without
// addresses, process numbers and what follows about memory.
MagicOutcome describe_report(const std::string& report);

}  // namespace xcpp_session
