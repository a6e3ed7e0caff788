// Captures that C++ refuses only because a cell's variables are globals: [&] and [=] in the
// initialiser of a top-level variable, [x] and [&x] of a session variable. The author of a cell
// sees locals; these edits make both readings agree.
#pragma once

#include "cell.hpp"

namespace xcpp_session {

void edit_captures(Cell& cell, const Names& names);

}  // namespace xcpp_session
