// The connection file, in which a Jupyter client says which sockets to open.
#pragma once

#include <string>

namespace xcpp_front {

struct Connection {
    std::string transport, ip;
    int shell_port = 0, control_port = 0, stdin_port = 0, iopub_port = 0, hb_port = 0;
    std::string signature_scheme = "hmac-sha256", key;  // no key: messages carry no signature

    std::string end_point(int port) const;
};

// Throws std::exception, with what is wrong with the file.
Connection read_connection(const std::string& file);

}  // namespace xcpp_front
