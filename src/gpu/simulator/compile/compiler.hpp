// The host's compiler, which turns CUDA text into a shared object. Only compiler.cpp knows which
// compiler it is.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

struct Compilation {
    std::string unit;                     // the whole translation unit
    std::vector<std::string> flags;       // the student's, as accepted by flags.hpp
    std::vector<std::string> depends_on;  // contents of included files: part of the cache key
    bool checked = false;                 // instrumented, with the hooks of check/
    // checked: check indices of arrays whose size the text gives. This takes time.
    bool arrays = false;
    std::vector<std::string> dynamic_shared;  // names of `extern __shared__` arrays
    std::string hooks;                        // C++ text that is linked to it, "" for none
    // Called with the compiler's warnings about local variables that may be uninitialised. Returns
    // a translation unit that checks them when they are read, or "".
    std::function<std::string(const std::string& log)> watching;
    // The same text for clang's CUDA mode, and what is called with its messages before the result
    // is kept; it may throw. g++ has no such mode.
    std::string as_cuda;
    std::function<void(const std::string& log)> judge;
};

struct CompilerOutcome {
    std::string object;  // bytes of the shared object, "" if compilation failed
    std::string log;     // the compiler's messages: NAME:LINE:COLUMN: error: TEXT
};

// Throws Error if there is no compiler, if a flag is unknown, or if the machine fails (a full disk,
// for example). Results are kept in the disk cache, failures are not.
CompilerOutcome compile(const Compilation& compilation);

std::string compiler_version();  // one line, for messages

}  // namespace lanes::gpu::simulator
