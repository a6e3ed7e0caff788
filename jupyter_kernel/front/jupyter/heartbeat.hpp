// Echoes what the client sends, from a thread and a ZeroMQ context of its own: it beats while a
// cell runs, and its end holds up nothing else.
#pragma once

#include "address.hpp"

#include <zmq.hpp>

#include <string>
#include <thread>

namespace xcpp_front {

class Heartbeat {
public:
    Heartbeat(const std::string& transport, const std::string& ip, const std::string& port);
    ~Heartbeat();

private:
    void beat();

    Address address_;

    zmq::context_t context_{1};
    zmq::socket_t socket_{context_, zmq::socket_type::router};
    std::thread thread_;
};

}  // namespace xcpp_front
