#include "connection.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>

namespace xcpp_front {

std::string Connection::end_point(int port) const {
    return transport + "://" + ip + (transport == "tcp" ? ":" : "-") + std::to_string(port);
}

Connection read_connection(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot be read");
    const auto json = nlohmann::json::parse(in);
    Connection connection;
    json.at("transport").get_to(connection.transport);
    json.at("ip").get_to(connection.ip);
    json.at("shell_port").get_to(connection.shell_port);
    json.at("control_port").get_to(connection.control_port);
    json.at("stdin_port").get_to(connection.stdin_port);
    json.at("iopub_port").get_to(connection.iopub_port);
    json.at("hb_port").get_to(connection.hb_port);
    connection.signature_scheme = json.value("signature_scheme", connection.signature_scheme);
    connection.key = json.value("key", "");
    return connection;
}

}  // namespace xcpp_front
