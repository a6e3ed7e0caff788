#include "arguments.hpp"

namespace xcpp_front {

std::string help_text() {
    return "xcpp17: a Jupyter kernel for C++17, C++20 and C++23\n"
           "usage: xcpp17 -f CONNECTION_FILE [--config FILE] [compiler arguments...]\n"
           "       xcpp17 --program NOTEBOOK [-o FILE] [--config FILE]\n"
           "       xcpp17 --prepare -std=c++20 [--config FILE]\n"
           "  -f, --connection-file FILE   where the Jupyter client says which sockets to open\n"
           "  --config FILE                JSON: include paths, libraries and the precompiled "
           "header that cells get\n"
           "  --program NOTEBOOK           writes the cells of a notebook as one C++ program, to "
           "FILE or to stdout\n"
           "  --prepare                    compiles the headers of cells for another standard, for "
           "all users\n"
           "  --session PROGRAM            the program that runs the cells (xcpp17-session beside "
           "this one)\n"
           "  --version, --help\n";
}

Arguments parse_arguments(const std::vector<std::string>& words) {
    Arguments arguments;
    for (std::size_t index = 0; index < words.size(); ++index) {
        const std::string& word = words[index];
        // Compiler arguments start with -f too (-fopenmp): only the word itself is ours.
        const auto value_of = [&](std::initializer_list<const char*> names, std::string& value) {
            for (const std::string name : names) {
                if (word == name) {
                    if (index + 1 == words.size()) throw BadArguments(name + " needs a value");
                    value = words[++index];
                    return true;
                }
                if (word.rfind(name + "=", 0) == 0) {
                    value = word.substr(name.size() + 1);
                    return true;
                }
            }
            return false;
        };
        std::string config, notebook;
        if (value_of({"-f", "--connection-file", "--connection_file", "--KernelApp.connection_file",
                      "--IPKernelApp.connection_file"},
                     arguments.connection_file) ||
            value_of({"--session"}, arguments.session_program)) {
            continue;
        }
        if (value_of({"--config"}, config)) {
            arguments.session_arguments.insert(arguments.session_arguments.end(),
                                               {"--config", config});
        } else if (value_of({"--program"}, notebook)) {
            arguments.program = true;
            arguments.session_arguments.insert(arguments.session_arguments.end(),
                                               {"--program", notebook});
        } else if (word == "--prepare") {
            arguments.program = true;
            arguments.session_arguments.push_back(word);
        } else if (word == "--help" || word == "-h") {
            arguments.help = true;
        } else if (word == "--version") {
            arguments.version = true;
        } else {
            const std::string standard = "-std=c++";
            if (word.rfind(standard, 0) == 0) arguments.standard = word.substr(standard.size());
            arguments.session_arguments.push_back(word);
        }
    }
    if (arguments.connection_file.empty() && !arguments.help && !arguments.version &&
        !arguments.program)
        throw BadArguments("no connection file: a Jupyter client passes it as -f FILE");
    return arguments;
}

}  // namespace xcpp_front
