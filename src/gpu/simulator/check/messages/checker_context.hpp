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

// An integer among the arguments of a launch. If an index is wrong, it may explain why.
struct ScalarArgument {
    std::string name;
    long long value = 0;
};

struct Arguments {
    std::vector<ScalarArgument> scalars;
    bool has_structs = false;  // their members are not known
    std::vector<std::string> null_pointers;
};

struct CheckerContext {
    Checks checks;
    std::string program_name, program_text, entry_name;
    Arguments arguments;
    LineTable* lines = nullptr;
    std::function<void()> abandon;  // ends the calling thread and the launch; does not return
    std::function<bool(const void*)> is_own_stack;
    // First addresses of regions that an earlier try of this launch wrote although they are const.
    std::set<const unsigned char*> watched;
    std::function<bool()> has_printed;
    std::vector<std::string> program_flags;
};

}  // namespace lanes::gpu::simulator
