// Where a socket of the front can be reached, as the connection file says.
#pragma once

#include <zmq.hpp>

#include <string>
#include <utility>

namespace xcpp_front {

// The file that a socket of transport "ipc" makes is removed with the object: ZeroMQ leaves it.
class Address {
public:
    Address(std::string transport, std::string ip, std::string port)
        : transport_(std::move(transport)), ip_(std::move(ip)), port_(std::move(port)) {}
    ~Address();
    Address(const Address&) = delete;
    Address& operator=(const Address&) = delete;

    // Throws std::runtime_error.
    void bind(zmq::socket_t& socket);
    const std::string& port() const { return port_; }

private:
    std::string transport_, ip_, port_;
    bool bound_ = false;
};

}  // namespace xcpp_front
