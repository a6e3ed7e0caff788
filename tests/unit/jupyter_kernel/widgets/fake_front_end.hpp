// A test double of the Jupyter kernel's C functions: records what a widget sends, and sends what a
// page would. One page, one session.
#pragma once

#include "xcpp/capi.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

struct FakeFrontEnd {
    using Handler = void (*)(const char*, const char*, const char*, const char*, const xcpp_buffer*,
                             std::size_t, void*);
    struct Message {
        std::string event, id;
        nlohmann::json data;
        std::vector<std::string> buffers;
    };

    std::vector<Message> said;                   // comm messages of widgets
    std::vector<nlohmann::json> shown;           // display_data
    std::vector<std::string> areas;              // where output was sent
    std::map<std::string, nlohmann::json> open;  // state by id
    std::map<std::string, Handler> handlers, targets;
    int cell = 1;
    std::map<int, int> run_again;  // cell -> its newest number
    bool has_comms = true;
    bool is_present = true;  // false: as the functions of a program made of a notebook behave

    static FakeFrontEnd& get() {
        static FakeFrontEnd front_end;
        return front_end;
    }

    void note(const char* event, const char* id, const char* data, const xcpp_buffer* buffers,
              std::size_t count) {
        Message message{
            event, id, *data ? nlohmann::json::parse(data) : nlohmann::json::object(), {}};
        for (std::size_t i = 0; i < count; ++i)
            message.buffers.emplace_back(static_cast<const char*>(buffers[i].data),
                                         buffers[i].size);
        if (message.event == "open") open[id] = message.data["state"];
        if (message.event == "msg" && message.data.value("method", "") == "update")
            open[id].update(message.data["state"]);
        if (message.event == "close") open.erase(id);
        said.push_back(std::move(message));
    }

    // The messages since the last call.
    std::vector<Message> heard() { return std::exchange(said, {}); }

    // What the page sends while the user drags.
    void send(const std::string& id, const nlohmann::json& data) {
        cell = 0;
        handlers.at(id)("msg", id.c_str(), data.dump().c_str(), "{}", nullptr, 0, nullptr);
    }
    void update(const std::string& id, const nlohmann::json& state) {
        send(id,
             {{"method", "update"}, {"state", state}, {"buffer_paths", nlohmann::json::array()}});
    }
};
