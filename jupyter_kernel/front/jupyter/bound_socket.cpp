#include "bound_socket.hpp"

#include <unistd.h>

#include <stdexcept>

namespace xcpp_front {

BoundSocket::BoundSocket(zmq::context_t& context, zmq::socket_type type,
                         const Connection& connection, int port)
    : socket_t(context, type), end_point_(connection.end_point(port)) {
    if (type == zmq::socket_type::router)  // serves a client that comes back under the same name
        set(zmq::sockopt::router_handover, true);
    set(zmq::sockopt::sndhwm, 0);  // nothing is dropped, above all not the end of a cell
    set(zmq::sockopt::rcvhwm, 0);
    set(zmq::sockopt::linger, 1000);  // milliseconds that the last messages may take at the end
    try {
        bind(end_point_);
    } catch (const zmq::error_t& error) {
        throw std::runtime_error("cannot open the socket " + end_point_ +
                                 " of the connection file: " + error.what());
    }
}

BoundSocket::~BoundSocket() {
    const std::string ipc = "ipc://";
    if (end_point_.rfind(ipc, 0) == 0) ::unlink(end_point_.substr(ipc.size()).c_str());
}

}  // namespace xcpp_front
