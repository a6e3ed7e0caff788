// xcpp17, the front of the Jupyter kernel: talks to the client, supervises the session. It never
// runs a line of a cell.
#include "arguments.hpp"
#include "front/jupyter/connection.hpp"
#include "front/jupyter/server.hpp"
#include "request_handler.hpp"
#include "supervisor.hpp"
#include "wire/version.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

namespace {

using namespace xcpp_front;

std::string session_beside_us() {
    return std::filesystem::read_symlink("/proc/self/exe").replace_filename("xcpp17-session");
}

Connection connection_of(const Arguments& arguments) {
    try {
        return read_connection(arguments.connection_file);
    } catch (const std::exception& error) {
        throw BadArguments("connection file " + arguments.connection_file + ": " + error.what());
    }
}

// Cells that are graded are not the user's history.
std::string history_path() {
    const char* const folder = std::getenv("XDG_STATE_HOME");
    const char* const home = std::getenv("HOME");
    if (std::getenv("NBGRADER_EXECUTION") || (!folder && !home)) return {};
    return (folder ? std::string(folder) : home + std::string("/.local/state")) +
           "/xcpp/history.jsonl";
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
    const Connection connection = connection_of(arguments);
    // First of all, so that the session loads meanwhile.
    Supervisor supervisor(
        arguments.session_program.empty() ? session_beside_us() : arguments.session_program,
        arguments.session_arguments);
    Server server(connection, supervisor);
    supervisor.attach(server);
    RequestHandler handler(supervisor, server, arguments.standard, history_path());
    server.run([&](const Message& request) { return handler.answer(request); });
    supervisor.end();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Arguments arguments = parse_arguments({argv + 1, argv + argc});
        if (arguments.help) {
            std::cout << help_text();
        } else if (arguments.version) {
            std::cout << "xcpp17 " << xcpp_wire::version << "\n";
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
