// What the checks of one launch need to know about it: the program, the arguments, and two calls
// back into the engine.
#pragma once

#include "gpu/simulator/object/lines.hpp"

#include "lanes/gpu/checks.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// A whole number among the arguments of a launch: where an index went wrong, it may say why.
struct ScalarArgument {
    std::string name;
    long long value = 0;
};

struct Arguments {
    std::vector<ScalarArgument> scalars;
    bool has_structs = false;  // whose numbers nobody knows
    std::vector<std::string> null_pointers;
};

struct CheckerContext {
    Checks checks;
    std::string program_name, program_text, entry_name;
    Arguments arguments;
    LineTable* lines = nullptr;
    std::function<void()> abandon;  // the thread that calls it goes no further, and the launch ends
    std::function<bool(const void*)> is_own_stack;
    std::set<const unsigned char*>
        watched;  // where regions begin that an earlier try of this launch wrote, const or not
    std::function<bool()> has_printed;
    std::vector<std::string> program_flags;
};

}  // namespace lanes::gpu::simulator
