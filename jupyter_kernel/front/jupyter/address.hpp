// Where a socket of the front can be reached, as the connection file says.
#pragma once

#include <zmq.hpp>

#include <string>

namespace xcpp_front {

// The file that a socket of transport "ipc" makes is removed with the object: ZeroMQ leaves it.
class Address {
public:
    Address(const std::string& transport, const std::string& ip, const std::string& port);
    ~Address();
    Address(const Address&) = delete;
    Address& operator=(const Address&) = delete;

    // Throws std::runtime_error.
    void bind(zmq::socket_t& socket);

private:
    std::string end_point_;
    std::string file_;  // of a socket of transport "ipc" that is bound
};

}  // namespace xcpp_front
