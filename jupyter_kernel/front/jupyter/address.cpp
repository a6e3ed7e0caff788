#include "address.hpp"

#include <unistd.h>
#include <xeus/xmiddleware.hpp>

#include <cstring>
#include <stdexcept>

namespace xcpp_front {

Address::~Address() {
    if (bound_ && transport_ == "ipc")
        ::unlink(xeus::get_end_point(transport_, ip_, port_).substr(std::strlen("ipc://")).c_str());
}

void Address::bind(zmq::socket_t& socket) {
    const std::string end_point = xeus::get_end_point(transport_, ip_, port_);
    try {
        xeus::init_socket(socket, end_point);
        bound_ = true;
        // xeus 2.4.1 reads an address into 32 bytes; and only tcp has a port that can be chosen for
        // us.
        if (transport_ == "tcp") port_ = xeus::get_socket_port(socket);
    } catch (const zmq::error_t& error) {
        throw std::runtime_error("cannot open the socket " + end_point +
                                 " of the connection file: " + error.what());
    }
}

}  // namespace xcpp_front
