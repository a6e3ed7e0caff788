// Keeps a session's displays in order with what it prints. They use two transports, the channel and
// the pipes, so after a display the session waits until the front has it: what it prints next comes
// after. The word they wait on is in the shared page.
#pragma once

#include "shared_state.hpp"
#include "wire.hpp"

#include <string>
#include <vector>

namespace xcpp_wire {

// In the front, once it has acted on a `publish` or `comm_out`.
void acknowledge(SharedState& page);

// In the session. Sends, and returns when the front has acted on it, at the latest after a second.
// One thread at a time. Throws Broken.
void send_acknowledged(const Channel& channel, SharedState& page, const nlohmann::json& body,
                       const std::vector<std::string>& buffers = {});

}  // namespace xcpp_wire
