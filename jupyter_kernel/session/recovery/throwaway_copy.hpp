// Work that must leave no trace in the session is done by a fork, which reports a text and ends:
// what completes a name, and the rehearsal of a cell (session_cell.cpp).
#pragma once

#include <functional>
#include <string>

namespace xcpp_session {

struct CopyOutcome {
    enum class End { finished, died, interrupted, timed_out, not_forked };
    End end = End::not_forked;
    std::string text;  // of work, if it has finished
};

// Waits for the end of work, which may neither print nor send. A copy that takes longer than
// `seconds`, or runs when is_interrupted becomes true, is killed.
CopyOutcome run_in_throwaway_copy(const std::function<std::string()>& work, double seconds,
                                  const std::function<bool()>& is_interrupted);

}  // namespace xcpp_session
