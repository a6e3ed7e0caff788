#include "lanes/tensor/devices.hpp"

#include "text_table.hpp"

#include "gpu/memory_pool.hpp"

#include "lanes/base/workers.hpp"

#include <cstdio>
#include <ostream>

namespace lanes {

namespace {

std::string gibibytes(std::size_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f GiB",
                  static_cast<double>(bytes) / static_cast<double>(std::size_t{1} << 30));
    return text;
}

}  // namespace

MemoryUse memory_use(const Device& device) {
    const gpu::PoolUse use = gpu::pool_use(device);
    return {use.in_use, use.cached};
}

void release_cached_memory() { gpu::release_cached(); }

DeviceTable device_table() {
    DeviceTable table;
    table.rows.push_back({"device", "name", "architecture", "units", "memory used", "memory"});
    for (const Device& device : Device::all()) {
        const DeviceLimits& limits = device.limits();
        const bool is_gpu = !device.is_cpu() && !device.is_simulator();
        const std::string units = is_gpu
                                      ? std::to_string(limits.multiprocessors) + " multiprocessors"
                                      : std::to_string(num_workers()) + " cores";
        const std::size_t used = limits.memory_bytes - device.free_bytes();
        table.rows.push_back({device.id(), device.name(), device.architecture(), units,
                              gibibytes(used), gibibytes(limits.memory_bytes)});
    }
    return table;
}

std::ostream& operator<<(std::ostream& out, const DeviceTable& table) {
    return out << tensor::text_table(table.rows, 4);
}

tensor::MimeBundle mime_bundle_repr(const DeviceTable& table) {
    return tensor::mime_bundle(tensor::text_table(table.rows, 4),
                               tensor::html_table(table.rows, true));
}

}  // namespace lanes
