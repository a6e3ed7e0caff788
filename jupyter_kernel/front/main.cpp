// xcpp17, the front of the Jupyter kernel: talks to the client, supervises the session. It never
// runs a line of a cell.
#include "arguments.hpp"
#include "front/jupyter/history.hpp"
#include "front/jupyter/server.hpp"
#include "front/jupyter/version.hpp"
#include "request_handler.hpp"
#include "supervisor.hpp"

#include <xeus/xkernel.hpp>
#include <xeus/xkernel_configuration.hpp>
#include <zmq.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

namespace {

using namespace xcpp_front;
using nlohmann::json;

std::string session_beside_us() {
    return std::filesystem::read_symlink("/proc/self/exe").replace_filename("xcpp17-session");
}

// xeus takes what it finds; a person wants to know what is wrong with the file.
xeus::xconfiguration read_connection_file(const std::string& name) {
    if (::access(name.c_str(), R_OK) != 0)
        throw BadArguments("connection file " + name + ": cannot be read");
    try {
        xeus::xconfiguration config = xeus::load_configuration(name);
        // Without a key messages carry no signature. (xeus would invent a key.)
        if (config.m_key.empty()) config.m_signature_scheme = "none";
        return config;
    } catch (const std::exception& error) {
        throw BadArguments("connection file " + name + ": " + error.what());
    }
}

// The session has the compiler, which divides cells into declarations and statements.
[[noreturn]] void become_session(const Arguments& arguments) {
    const std::string program =
        arguments.session_program.empty() ? session_beside_us() : arguments.session_program;
    std::vector<char*> words = {const_cast<char*>(program.c_str())};
    for (const auto& word : arguments.session_arguments)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execv(program.c_str(), words.data());
    throw std::runtime_error("cannot start " + program + ": " + std::strerror(errno));
}

void serve(const Arguments& arguments) {
    const xeus::xconfiguration config = read_connection_file(arguments.connection_file);
    // First of all, so that the session loads while xeus does.
    Supervisor supervisor(
        arguments.session_program.empty() ? session_beside_us() : arguments.session_program,
        arguments.session_arguments);
    {
        auto history = std::make_unique<History>();
        auto interpreter = std::make_unique<RequestHandler>(supervisor, *history);
        xeus::xkernel kernel(config, xeus::get_user_name(), xeus::make_context<zmq::context_t>(),
                             std::move(interpreter), make_server, std::move(history), nullptr,
                             xeus::make_null_debugger, json::object(),
                             json::error_handler_t::replace);
        auto& server = static_cast<Server&>(kernel.get_server());
        supervisor.attach(server);
        server.attach(supervisor);
        kernel.start();
        supervisor.end();
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Arguments arguments = parse_arguments({argv + 1, argv + argc});
        if (arguments.help) {
            std::cout << help_text();
        } else if (arguments.version) {
            std::cout << "xcpp17 " << version << "\n";
        } else if (arguments.program) {
            become_session(arguments);
        } else {
            serve(arguments);
        }
        return 0;
    } catch (const BadArguments& error) {
        std::cerr << "xcpp17: " << error.what() << "\n";
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "xcpp17: " << error.what() << "\n";
        return 1;
    }
}
