// The session's command line and configuration file.
#pragma once

#include "session/clang/compiler/interpreter.hpp"

#include <cstdint>
#include <string>

namespace xcpp_session {

struct SessionOptions {
    int channel = -1, page = -1;  // descriptors that the front left us
    InterpreterOptions interpreter;
    std::string standard;  // "c++20", if it is not that of the configuration; else empty
    bool prepare = false;  // --prepare: see standard_header.hpp
    std::string program, program_file;  // --program NOTEBOOK -o FILE: see notebook_program.hpp
    bool again =
        false;  // started a second time by ourselves, because the precompiled header did not fit
    std::vector<std::string> first_templates;  // names for warm_up.hpp
    std::vector<std::string> first_cells;  // compiled while the session waits for its first cell;
                                           // not after --no-first-cells
    std::string hints;                     // file of hints_configured.hpp
    std::string analysis;                  // library of analysis_library.hpp
    std::uint64_t memory =
        0;  // bytes of RLIMIT_DATA, 0: no limit. XCPP_MEMORY=8G, half of the machine by default
    std::uint64_t copy_limit = 0;  // bytes of resident memory above which no frozen copy is made.
                                   // XCPP_COPY_LIMIT=, two fifths of the machine by default
    double compile_seconds = 0;  // a rehearsal that takes longer is given up: XCPP_COMPILE_TIMEOUT
};

// Throws std::runtime_error that says which argument is wrong.
SessionOptions read_options(int argc, char** argv);

// "8G", "512M", "1000000" -> bytes. Throws std::runtime_error.
std::uint64_t read_bytes(const std::string& name, const std::string& text);

}  // namespace xcpp_session
