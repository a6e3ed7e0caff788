// A copy of this process that does nothing but wait, until it is told to go away or to take over.
#pragma once

#include "wire/messages.hpp"
#include "wire/wire.hpp"

#include <string>

namespace xcpp_session {

enum class Role {
    original,   // the copy waits elsewhere, go on
    took_over,  // we are the copy, and the original is gone
    alone,      // no copy could be made, see `problem`
};

struct Snapshot {
    Role role = Role::alone;
    std::string problem;
    xcpp_wire::Channel channel;  // took_over: ours from now on
    xcpp_wire::TakeOver order;   // took_over: the front's message
};

// Sends CopyMade with the copy's channel over `channel`. The copy is not a child of ours.
// after_cell: the cell has ended, and the copy is to continue in our place.
Snapshot fork_snapshot(const xcpp_wire::Channel& channel, int cell, bool after_cell = false);

}  // namespace xcpp_session
