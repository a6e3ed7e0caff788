#include "lanes/gpu/occupancy.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>

namespace lanes {

std::vector<GpuLimits> known_gpus() {
    constexpr std::size_t kb = 1024;
    return {{"H200", 132, 2048, 32, 228 * kb, kb}, {"H100", 132, 2048, 32, 228 * kb, kb},
            {"A100", 108, 2048, 32, 164 * kb, kb}, {"V100", 80, 2048, 32, 96 * kb, 0},
            {"L4", 58, 1536, 24, 100 * kb, kb},    {"T4", 40, 1024, 16, 64 * kb, 0}};
}

GpuLimits gpu_limits(const std::string& name) {
    std::string names;
    for (const GpuLimits& gpu : known_gpus()) {
        if (gpu.name == name) return gpu;
        names += (names.empty() ? "" : ", ") + gpu.name;
    }
    throw Error("gpu_limits: the limits of '" + name + "' are not known. Name one of " + names +
                ".");
}

Occupancy occupancy(const LaunchConfig& config, std::size_t static_shared_bytes,
                    unsigned registers_per_thread, const std::string& gpu) {
    Occupancy fits;
    fits.gpu = gpu_limits(gpu);
    const auto warps = static_cast<unsigned>((config.block.count() + 31) / 32);
    fits.threads_per_block = 32 * warps;
    LANES_REQUIRE(warps > 0, "occupancy: the block has 0 threads. Use at least 1.");
    fits.blocks = fits.gpu.blocks;
    fits.limit = "blocks";
    const auto at_most = [&](std::size_t blocks, const char* limit) {
        if (blocks < fits.blocks) fits.blocks = static_cast<unsigned>(blocks), fits.limit = limit;
    };
    at_most(fits.gpu.threads / fits.threads_per_block, "threads");
    // On all of these, shared memory is given out in units of at most 256 bytes.
    const std::size_t own = config.shared_bytes + static_shared_bytes,
                      bytes = own + fits.gpu.reserved_bytes;
    if (own > 0) at_most(fits.gpu.shared_bytes / ((bytes + 255) / 256 * 256), "shared memory");
    // Registers are given out per warp, in units of 256.
    const unsigned per_warp = (32 * registers_per_thread + 255) / 256 * 256;
    if (per_warp > 0) at_most(fits.gpu.registers / per_warp / warps, "registers");
    return fits;
}

Occupancy occupancy(const LaunchReport& report, const std::string& gpu) {
    return occupancy(report.config, report.static_shared_bytes, report.registers_per_thread, gpu);
}

}  // namespace lanes
