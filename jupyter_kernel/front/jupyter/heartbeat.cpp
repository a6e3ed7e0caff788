#include "heartbeat.hpp"

#include <cerrno>
#include <iostream>

namespace xcpp_front {

Heartbeat::Heartbeat(const Connection& connection)
    : socket_(context_, zmq::socket_type::router, connection, connection.hb_port) {
    socket_.set(zmq::sockopt::linger, 0);  // drop unsent beats at exit
    thread_ = std::thread(&Heartbeat::beat, this);
}

Heartbeat::~Heartbeat() {
    context_.shutdown();  // ends the wait in beat()
    thread_.join();
}

void Heartbeat::beat() {
    try {
        zmq::proxy(socket_, socket_);
    } catch (const zmq::error_t& error) {
        if (error.num() != ETERM)
            std::cerr << "xcpp17: no heartbeat any more: " << error.what()
                      << '\n';  // else the context was shut down
    }
}

}  // namespace xcpp_front
