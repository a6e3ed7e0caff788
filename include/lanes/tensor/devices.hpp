// The devices of this machine as a table, and the memory that tensors keep on them.
//
//   #include <iostream>
//   std::cout << lanes::device_table();
//   const lanes::MemoryUse use = lanes::memory_use("cpu");
//   std::cout << use.in_use << " bytes in tensors, " << use.cached << " kept for the next ones\n";
//   lanes::release_cached_memory();
#pragma once

#include "lanes/gpu/device.hpp"
#include "lanes/tensor/tensor.hpp"

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace lanes {

// One row per device: id, name, architecture, cores or multiprocessors, memory. In a cell it is
// shown as a table.
struct DeviceTable {
    std::vector<std::vector<std::string>> rows;  // the first row holds the titles
};
DeviceTable device_table();
std::ostream& operator<<(std::ostream& out, const DeviceTable& table);
tensor::MimeBundle mime_bundle_repr(const DeviceTable& table);

// The memory of a tensor that is no longer used is kept for the next tensor of about that size,
// because asking a GPU's driver for memory takes longer than most operations. The simulator keeps
// none, so that it can find reads of memory that nothing wrote.
struct MemoryUse {
    std::size_t in_use = 0;  // bytes
    std::size_t cached = 0;  // bytes that are free for the next tensors
};
MemoryUse memory_use(const Device& device);
void release_cached_memory();  // of all devices

}  // namespace lanes
