#include "limits.hpp"

#include "arena.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>

namespace lanes::gpu::simulator {

namespace {

struct Architecture {
    const char* name;
    // Most shared memory per block, from the table of compute capabilities in the CUDA C++
    // Programming Guide.
    std::size_t optin_kilobytes;
};

constexpr Architecture architectures[] = {
    {"sm_70", 96},   {"sm_72", 96},   {"sm_75", 64},  {"sm_80", 163}, {"sm_86", 99},
    {"sm_87", 163},  {"sm_88", 163},  {"sm_89", 99},  {"sm_90", 227}, {"sm_100", 227},
    {"sm_103", 227}, {"sm_110", 227}, {"sm_120", 99}, {"sm_121", 99},
};

}  // namespace

DeviceLimits limits_of(const std::string& architecture) {
    const auto* found = std::find_if(std::begin(architectures), std::end(architectures),
                                     [&](const auto& known) { return known.name == architecture; });
    std::string names;
    for (const auto& known : architectures)
        names += (names.empty() ? "" : ", ") + std::string(known.name);
    if (found == std::end(architectures))
        throw Error("Device::simulator: '", architecture,
                    "' is no architecture that the simulator knows. Use one of ", names, ".");
    DeviceLimits limits;
    limits.shared_bytes_per_block_optin = found->optin_kilobytes * 1024;
    limits.memory_bytes = arena_memory_bytes();
    limits.multiprocessors = 4;  // as many blocks run at once as on a small GPU
    return limits;
}

}  // namespace lanes::gpu::simulator
