#include "address.hpp"

#include <unistd.h>
#include <xeus/xmiddleware.hpp>

#include <cstring>
#include <stdexcept>

namespace xcpp_front {

Address::Address(const std::string& transport, const std::string& ip, const std::string& port)
    : end_point_(xeus::get_end_point(transport, ip, port)) {}

Address::~Address() {
    if (!file_.empty()) ::unlink(file_.c_str());
}

void Address::bind(zmq::socket_t& socket) {
    try {
        xeus::init_socket(socket, end_point_);
    } catch (const zmq::error_t& error) {
        throw std::runtime_error("cannot open the socket " + end_point_ +
                                 " of the connection file: " + error.what());
    }
    if (end_point_.rfind("ipc://", 0) == 0) file_ = end_point_.substr(std::strlen("ipc://"));
}

}  // namespace xcpp_front
