// Keeps a session's displays in order with what it prints. They take two roads, the channel and the
// pipes, so after a display the session waits until the front has it: what it prints next comes
// after. The word they wait on is in the shared page.
#pragma once

#include "shared_page.hpp"
#include "wire.hpp"

#include <string>
#include <vector>

namespace xcpp_wire {

// In the front, once it has acted on a `publish` or `comm_out`.
void acknowledge(SharedPage& page);

// In the session. Sends, and returns when the front has acted on it, at the latest after a second.
// One thread at a time. Throws Broken.
void send_acknowledged(const Channel& channel, SharedPage& page, const nlohmann::json& body,
                       const std::vector<std::string>& buffers = {});

}  // namespace xcpp_wire
