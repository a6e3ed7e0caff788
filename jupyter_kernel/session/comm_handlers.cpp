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

bool CommHandlers::deliver(const nlohmann::json& message, const std::vector<std::string>& buffers) {
    const std::string event = message.value("event", ""), comm_id = message.value("comm_id", ""),
                      target = message.value("target", "");
    const Listener listener = find(event, comm_id, target);  // it may use this object itself
    if (!listener.handler) return false;
    std::vector<xcpp_buffer> parts;
    parts.reserve(buffers.size());
    for (const auto& buffer : buffers) parts.push_back({buffer.data(), buffer.size()});
    const std::string data = message.value("data", nlohmann::json::object()).dump(),
                      metadata = message.value("metadata", nlohmann::json::object()).dump();
    listener.handler(event.c_str(), comm_id.c_str(), data.c_str(), metadata.c_str(), parts.data(),
                     parts.size(), listener.user);
    return true;
}

}  // namespace xcpp_session
