// The command line of xcpp17.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace xcpp_front {

struct Arguments {
    std::string connection_file;
    std::string session_program;  // empty: xcpp17-session beside this program
    std::vector<std::string>
        session_arguments;  // --config FILE and compiler arguments, as they came
    bool program = false;   // --program, --prepare: session_arguments hold it, and no client is
                            // served
    std::string standard = "17";  // of C++
    bool help = false;
    bool version = false;
};

struct BadArguments : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws BadArguments.
Arguments parse_arguments(const std::vector<std::string>& words);
std::string help_text();

}  // namespace xcpp_front
