#include "lanes/gpu/report.hpp"

#include "backend.hpp"

#include "lanes/base/error.hpp"

#include <cstdio>
#include <ostream>

namespace lanes {

namespace gpu {

void fail_dimension(long long value) {
    throw Error("Dim3: " + to_text(value) +
                " is no size of a grid or a block. Give a number from 1 to 4294967295.");
}

std::string shape_text(const Dim3& shape) {
    if (shape.y == 1 && shape.z == 1) return std::to_string(shape.x);
    return "(" + std::to_string(shape.x) + ", " + std::to_string(shape.y) +
           (shape.z == 1 ? "" : ", " + std::to_string(shape.z)) + ")";
}

std::string launch_text(const std::string& cuda_kernel, const LaunchConfig& config) {
    const std::string shared =
        config.shared_bytes ? ", " + std::to_string(config.shared_bytes) : "";
    return "launch " + cuda_kernel + " <<<" + shape_text(config.grid) + ", " +
           shape_text(config.block) + shared + ">>>";
}

}  // namespace gpu

namespace {

// 1234567 as "1,234,567": counters are long.
std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

std::string with_unit(double seconds) {
    char text[40];
    if (seconds < 1e-3)
        std::snprintf(text, sizeof text, "%.1f us", seconds * 1e6);
    else if (seconds < 1)
        std::snprintf(text, sizeof text, "%.3f ms", seconds * 1e3);
    else
        std::snprintf(text, sizeof text, "%.3f s", seconds);
    return text;
}

std::string fixed(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

std::string counters_text(const LaunchReport& report) {
    const Counters& c = report.counters;
    std::string text;
    const auto line = [&text](const std::string& name, std::uint64_t value,
                              const std::string& more = "") {
        if (value)
            text += "\n  " + name + std::string(name.size() < 24 ? 24 - name.size() : 1, ' ') +
                    grouped(value) + more;
    };
    line("global load requests", c.global_load_requests,
         ", " + fixed(report.load_sectors_per_request) + " sectors each");
    line("global store requests", c.global_store_requests,
         ", " + fixed(report.store_sectors_per_request) + " sectors each");
    line("shared load requests", c.shared_load_requests);
    line("shared store requests", c.shared_store_requests);
    line("shared bank conflicts", c.shared_bank_conflicts);
    line("atomic requests", c.atomic_requests);
    line("divergent branches", c.divergent_branches);
    line("barriers", c.barriers);
    const std::size_t blocks = report.config.grid.count();
    if (!text.empty() && report.blocks_counted > 0 && report.blocks_counted < blocks)
        text += "\n  counted in " + grouped(report.blocks_counted) + " of " + grouped(blocks) +
                " blocks; the others are taken to be alike";
    return text;
}

}  // namespace

std::string LaunchReport::text() const {
    std::string text = gpu::launch_text(cuda_kernel, config).substr(7) + " on " + device;
    // The simulator's time means nothing for a GPU, and differs in every run.
    if (!simulated) text += ": " + with_unit(kernel_seconds);
    if (!simulated && registers_per_thread)
        text += ", " + std::to_string(registers_per_thread) + " registers per thread";
    if (static_shared_bytes)
        text += ", " + std::to_string(static_shared_bytes) + " bytes of static shared memory";
    if (counted) text += counters_text(*this);
    for (const std::string& hint : hints) text += "\n  hint: " + hint;
    return text;
}

std::ostream& operator<<(std::ostream& out, const LaunchReport& report) {
    return out << report.text() << '\n';
}

}  // namespace lanes
