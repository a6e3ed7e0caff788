// A cell that forks without end makes thousands of processes a second, and soon nobody gets to
// press the interrupt button. Where some hundred more processes live than before the cell, every
// further fork(), of the cell and of all that it has forked, waits for its turn: the interrupt
// finds few enough to end.
#pragma once

#include "wire/shared_page.hpp"

namespace xcpp_session {

// From here on, in this process and all that it forks.
void pace_forks(xcpp_wire::SharedPage& page);

// Before a cell: what lives now is not the cell's.
void begin_fork_pace();

// As long as it lives, fork() does not wait.
class ForksUnpaced {
public:
    ForksUnpaced();
    ~ForksUnpaced();
    ForksUnpaced(const ForksUnpaced&) = delete;
    ForksUnpaced& operator=(const ForksUnpaced&) = delete;
};

}  // namespace xcpp_session
