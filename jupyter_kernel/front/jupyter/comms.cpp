#include "comms.hpp"

namespace xcpp_front {
namespace {

using nlohmann::json;

// Widgets tell their state in data.state, with the binary parts named by data.buffer_paths and sent
// as buffers.
json member(const json& data, const char* name, json::value_t type) {
    const bool there = data.is_object() && data.contains(name) && data[name].type() == type;
    return there ? data[name] : json(type);
}

}  // namespace

void Comms::merge(Comm& comm, const CommEvent& event) {
    const json state = member(event.data, "state", json::value_t::object);
    for (const auto& [key, value] : state.items()) {
        comm.state[key] = value;
        for (auto buffer = comm.buffers.begin(); buffer != comm.buffers.end();)
            buffer = buffer->first[0] == key ? comm.buffers.erase(buffer) : std::next(buffer);
    }
    const json paths = member(event.data, "buffer_paths", json::value_t::array);
    for (std::size_t index = 0; index < paths.size() && index < event.buffers.size(); ++index) {
        const json& path = paths[index];
        if (!path.is_array() || path.empty()) continue;
        if (path[0].is_string() && !comm.state.contains(path[0].get<std::string>()))
            comm.state[path[0].get<std::string>()] = nullptr;
        comm.buffers[path] = std::make_shared<const std::string>(event.buffers[index]);
    }
}

void Comms::note(const CommEvent& event) {
    if (event.event == "open") {
        Comm comm{event.target, event.data, event.metadata, json::object(), {}};
        merge(comm, event);
        open_[event.comm_id] = std::make_shared<const Comm>(std::move(comm));
    } else if (event.event == "close") {
        open_.erase(event.comm_id);
    } else if (const auto found = open_.find(event.comm_id); found != open_.end()) {
        if (member(event.data, "method", json::value_t::string) != "update") return;
        Comm comm = *found->second;
        merge(comm, event);
        found->second = std::make_shared<const Comm>(std::move(comm));
    }
}

json Comms::list(const std::string& target) const {
    json comms = json::object();
    for (const auto& [id, comm] : open_) {
        if (target.empty() || comm->target == target) comms[id] = {{"target_name", comm->target}};
    }
    return comms;
}

CommEvent Comms::state_of(const std::string& id, const Comm& comm, const char* event) {
    CommEvent message{event, id, comm.target, json::object(), comm.metadata, {}};
    json paths = json::array();
    for (const auto& [path, bytes] : comm.buffers) {
        paths.push_back(path);
        message.buffers.push_back(*bytes);
    }
    if (message.event == "open") {
        message.data = comm.opened_with;
    } else {
        message.data["method"] = "update";
    }
    message.data["state"] = comm.state;
    message.data["buffer_paths"] = paths;
    return message;
}

std::vector<CommEvent> Comms::restore() {
    std::vector<CommEvent> messages;
    for (const auto& [id, comm] : open_) {
        if (saved_.count(id) == 0)
            messages.push_back({"close", id, comm->target, json::object(), json::object(), {}});
    }
    for (const auto& [id, comm] : saved_) {
        const auto now = open_.find(id);
        const bool widget = comm->target == "jupyter.widget";
        if (now == open_.end()) {
            messages.push_back(
                widget
                    ? state_of(id, *comm, "open")
                    : CommEvent{"open", id, comm->target, comm->opened_with, comm->metadata, {}});
        } else if (now->second != comm && widget) {
            messages.push_back(state_of(id, *comm, "msg"));
        }
    }
    open_ = saved_;
    return messages;
}

std::vector<CommEvent> Comms::close_all() {
    saved_.clear();
    return restore();
}

}  // namespace xcpp_front
