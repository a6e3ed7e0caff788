// Echoes what the client sends, from a thread and a ZeroMQ context of its own: it beats while a
// cell runs, and its end holds up nothing else.
#pragma once

#include "bound_socket.hpp"

#include <thread>

namespace xcpp_front {

class Heartbeat {
public:
    explicit Heartbeat(const Connection& connection);
    ~Heartbeat();

private:
    void beat();

    zmq::context_t context_{1};
    BoundSocket socket_;
    std::thread thread_;
};

}  // namespace xcpp_front
