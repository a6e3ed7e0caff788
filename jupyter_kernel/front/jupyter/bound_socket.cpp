#include "bound_socket.hpp"

#include <unistd.h>
#include <xeus/xmiddleware.hpp>

#include <stdexcept>

namespace xcpp_front {

BoundSocket::BoundSocket(zmq::context_t& context, zmq::socket_type type,
                         const xeus::xconfiguration& config, const std::string& port)
    : socket_t(context, type),
      end_point_(xeus::get_end_point(config.m_transport, config.m_ip, port)) {
    if (type == zmq::socket_type::router)  // serves a client that comes back under the same name
        set(zmq::sockopt::router_handover, true);
    set(zmq::sockopt::sndhwm, 0);  // nothing is dropped, above all not the end of a cell
    set(zmq::sockopt::rcvhwm, 0);
    try {
        xeus::init_socket(*this, end_point_);
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
