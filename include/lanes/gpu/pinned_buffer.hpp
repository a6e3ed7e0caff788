// Memory of the host that is pinned: locked in place, so that a GPU reads and writes it by itself.
// A copy from or to it needs no detour through the library's own pinned buffers. It costs the
// system a call for each page, and pinned memory is not available to others: use it for arrays that
// are copied often. On the simulator and the CPU it is ordinary memory.
//
//   const lanes::Device device = lanes::Device::best();
//   lanes::PinnedBuffer<float> values(device, 1000);
//   for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1;
//   const lanes::Buffer<float> x(device, values);
//   x.download(values);
//
// The memory is shared with forked processes: a session that goes on after a crash sees what the
// failed cell wrote.
#pragma once

#include "lanes/gpu/device.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>

namespace lanes {

namespace gpu {
// Freed, and no longer pinned, with the last copy of the pointer.
std::shared_ptr<void> pinned_memory(const Device& device, std::size_t count,
                                    std::size_t element_bytes);
// Whether all of it belongs to one PinnedBuffer, of any device.
bool is_pinned(const void* start, std::size_t bytes);
}  // namespace gpu

template <class T>
class PinnedBuffer {
    static_assert(std::is_trivially_copyable_v<T>,
                  "PinnedBuffer<T>: elements are copied byte by byte");

public:
    using value_type = T;

    PinnedBuffer(const Device& device, std::size_t count)  // the elements are 0
        : memory_(gpu::pinned_memory(device, count, sizeof(T))), size_(count) {}

    T* data() { return static_cast<T*>(memory_.get()); }
    const T* data() const { return static_cast<const T*>(memory_.get()); }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data()[i]; }
    const T& operator[](std::size_t i) const { return data()[i]; }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }

private:
    std::shared_ptr<void> memory_;
    std::size_t size_;
};

}  // namespace lanes
