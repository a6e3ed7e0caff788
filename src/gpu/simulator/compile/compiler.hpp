// The host's compiler, which makes a shared object of a CUDA text. compiler.cpp is the only file
// that names one.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

struct Compilation {
    std::string unit;                     // the whole translation unit
    std::vector<std::string> flags;       // the student's, as flags.hpp leaves them
    std::vector<std::string> depends_on;  // content of included files: part of the cache's key
    bool checked = false;                 // instrumented, for the hooks of check/
    bool arrays = false;  // checked: indices of arrays whose size the text gives are looked at,
                          // which takes time
    bool dynamic_shared =
        false;          // hidden names that the text does not define are dynamic shared memory
    std::string hooks;  // C++ text that is linked to it, "" for none
    // Asked with the warnings about local variables that may have no value: another unit, which
    // looks at them where they are read, or "".
    std::function<std::string(const std::string& log)> watching;
};

struct CompilerOutcome {
    std::string object;  // bytes of the shared object, "" where it failed
    std::string log;     // what the compiler said: errors as NAME:LINE:COLUMN: error: TEXT
};

// Throws Error where there is no compiler, where a flag is not known, or where the machine is in
// the way. Kept in the cache on disk, failures are not.
CompilerOutcome compile(const Compilation& compilation);

std::string compiler_version();  // one line, for messages

}  // namespace lanes::gpu::simulator
