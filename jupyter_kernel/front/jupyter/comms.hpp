// The comms that are open between session and client, and the state of the widgets among them. The
// front needs both after a take-over: the session is as it was before the cell, and the client
// must be informed.
#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace xcpp_front {

// A comm message, from the session or from the client.
struct CommEvent {
    std::string event;  // "open", "msg" or "close"
    std::string comm_id;
    std::string target;  // of "open"
    nlohmann::json data = nlohmann::json::object();
    nlohmann::json metadata = nlohmann::json::object();
    std::vector<std::string> buffers;
};

class Comms {
public:
    // Takes note of a message, from the session or from the client.
    void note(const CommEvent& event);

    bool knows(const std::string& comm_id) const { return open_.count(comm_id) != 0; }
    // {id: {"target_name": …}}; "" asks for every target.
    nlohmann::json list(const std::string& target) const;

    // Remembers how things stand now; restore() returns to it, and gives the messages that let
    // the client return as well.
    void save() { saved_ = open_; }
    std::vector<CommEvent> restore();
    // The session and its comms are gone.
    std::vector<CommEvent> close_all();

private:
    struct Comm {
        std::string target;
        nlohmann::json opened_with, metadata;
        nlohmann::json state = nlohmann::json::object();  // of a widget
        // By path, an array that is not empty. Shared by all versions of the widget's state: an
        // image is not copied when a slider beside it moves.
        std::map<nlohmann::json, std::shared_ptr<const std::string>> buffers;
    };
    using Table = std::map<std::string, std::shared_ptr<const Comm>>;

    static void merge(Comm& comm, const CommEvent& event);
    static CommEvent state_of(const std::string& id, const Comm& comm, const char* event);

    Table open_, saved_;
};

}  // namespace xcpp_front
