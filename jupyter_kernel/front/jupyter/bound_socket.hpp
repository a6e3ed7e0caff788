// A socket of the front, bound where the connection file says.
#pragma once

#include "connection.hpp"

#include <zmq.hpp>

#include <string>

namespace xcpp_front {

class BoundSocket : public zmq::socket_t {
public:
    // Throws std::runtime_error.
    BoundSocket(zmq::context_t& context, zmq::socket_type type, const Connection& connection,
                int port);
    // Removes the file of a socket of transport "ipc": ZeroMQ leaves it.
    ~BoundSocket();
    BoundSocket(const BoundSocket&) = delete;
    BoundSocket& operator=(const BoundSocket&) = delete;

private:
    std::string end_point_;
};

}  // namespace xcpp_front
