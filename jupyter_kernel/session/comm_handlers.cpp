#include "comm_handlers.hpp"

namespace xcpp_session {

CommHandlers::Listener CommHandlers::find(const std::string& event, const std::string& comm_id,
                                          const std::string& target) {
    const std::lock_guard<std::mutex> guard(*lock_);
    Listener listener;
    if (const auto found = comms_.find(comm_id); found != comms_.end()) {
        listener = found->second;
    } else if (const auto opened = targets_.find(target); opened != targets_.end()) {
        listener = opened->second;
        if (event == "open") comms_[comm_id] = listener;
    }
    if (listener.handler && event == "close") comms_.erase(comm_id);
    return listener;
}

bool CommHandlers::deliver(const xcpp_wire::CommIn& message,
                           const std::vector<std::string>& buffers) {
    const Listener listener =
        find(message.event, message.comm_id, message.target);  // it may use this object itself
    if (!listener.handler) return false;
    std::vector<xcpp_buffer> parts;
    parts.reserve(buffers.size());
    for (const auto& buffer : buffers) parts.push_back({buffer.data(), buffer.size()});
    const std::string data = message.data.dump(), metadata = message.metadata.dump();
    listener.handler(message.event.c_str(), message.comm_id.c_str(), data.c_str(), metadata.c_str(),
                     parts.data(), parts.size(), listener.user);
    return true;
}

}  // namespace xcpp_session
