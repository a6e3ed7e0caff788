// One launch on the simulator: with the checks, or fast.
#pragma once

#include "gpu/simulator/object/unit.hpp"

#include "gpu/backend.hpp"

#include "lanes/gpu/checks.hpp"

#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

struct LaunchRequest {
    const ProgramText& program;
    const std::string& entry;  // name expression
    const std::vector<Signature>& signatures;
    Unit& unit;
    std::deque<ProgramVariableState>& variables;
    const LaunchConfig& config;
    const std::vector<BoundArgument>& arguments;
    const Checks& checks;
    // What is known of the launch before it begins; the report is made from it.
    LaunchReport known;
    std::function<std::vector<int>(const std::vector<const void*>&)> find_lines;  // of LaunchRecord
};

LaunchReport launch_fast(const LaunchRequest& request);
LaunchReport launch_checked(const LaunchRequest& request);

}  // namespace lanes::gpu::simulator
