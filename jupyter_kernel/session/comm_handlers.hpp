// Who in the session listens to which comm. May be used from any thread.
#pragma once

#include "xcpp/capi.h"

#include "wire/messages.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace xcpp_session {

class CommHandlers {
public:
    void on_target(const std::string& target, xcpp_comm_handler handler, void* user) {
        const std::lock_guard<std::mutex> guard(*lock_);
        targets_[target] = {handler, user};
    }
    void on_message(const std::string& comm_id, xcpp_comm_handler handler, void* user) {
        const std::lock_guard<std::mutex> guard(*lock_);
        comms_[comm_id] = {handler, user};
    }

    void forget(const std::string& comm_id) {
        const std::lock_guard<std::mutex> guard(*lock_);
        comms_.erase(comm_id);
    }

    // False: nobody listens.
    bool deliver(const xcpp_wire::CommIn& message, const std::vector<std::string>& buffers);

    // In a process that was just forked: a thread that does not exist here may have held it.
    void renew_lock() { lock_ = std::make_unique<std::mutex>(); }

private:
    struct Listener {
        xcpp_comm_handler handler = nullptr;
        void* user = nullptr;
    };
    Listener find(const std::string& event, const std::string& comm_id, const std::string& target);

    std::unique_ptr<std::mutex> lock_ = std::make_unique<std::mutex>();
    std::map<std::string, Listener> targets_, comms_;
};

}  // namespace xcpp_session
