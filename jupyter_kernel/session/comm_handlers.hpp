// Who in the session listens to which comm.
#pragma once

#include "xcpp/capi.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace xcpp_session {

class CommHandlers {
public:
    void on_target(const std::string& target, xcpp_comm_handler handler, void* user) {
        targets_[target] = {handler, user};
    }
    void on_message(const std::string& comm_id, xcpp_comm_handler handler, void* user) {
        comms_[comm_id] = {handler, user};
    }

    void forget(const std::string& comm_id) { comms_.erase(comm_id); }

    // False: nobody listens.
    bool deliver(const nlohmann::json& message, const std::vector<std::string>& buffers);

private:
    struct Listener {
        xcpp_comm_handler handler = nullptr;
        void* user = nullptr;
    };
    std::map<std::string, Listener> targets_, comms_;
};

}  // namespace xcpp_session
