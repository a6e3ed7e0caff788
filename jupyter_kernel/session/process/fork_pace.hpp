// A cell that forks without end creates thousands of processes per second, and soon nobody can
// press the interrupt button. If a few hundred more processes exist than before the cell, every
// further fork(), of the cell and of all that it has forked, waits for its turn: the interrupt
// finds few enough to kill.
#pragma once

#include "wire/shared_state.hpp"

namespace xcpp_session {

// From here on, in this process and all that it forks.
void pace_forks(xcpp_wire::SharedState& page);

// Before a cell: processes that exist now are not the cell's.
void begin_fork_pace();

}  // namespace xcpp_session
