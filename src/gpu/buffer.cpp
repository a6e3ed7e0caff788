#include "lanes/gpu/buffer.hpp"

#include "backend.hpp"
#include "lanes/base/error.hpp"
#include "memory_pool.hpp"
#include "trace_log.hpp"

#include <limits>

namespace lanes::gpu {

Storage::Storage(const Device& device, std::size_t count, std::size_t element_bytes)
    : device_(device), count_(count), element_bytes_(element_bytes) {
    if (count > std::numeric_limits<std::size_t>::max() / 2 / element_bytes)
        throw Error(
            "Buffer: ", count, " elements of ", element_bytes,
            " bytes are more than any memory holds. Give a smaller size; a negative number may "
            "have become a large one.");
    // the simulator checks accesses by the size of an element
    memory_ = device.is_simulator()
                  ? device.backend()->allocate(count * element_bytes, element_bytes)
                  : allocate(device, count * element_bytes);
}

Storage::Storage(const Device& device, std::size_t count, std::size_t element_bytes,
                 std::shared_ptr<Memory> memory)
    : device_(device), count_(count), element_bytes_(element_bytes), memory_(std::move(memory)) {}

void Storage::upload(const void* from, std::size_t first, std::size_t count) {
    if (count == 0) return;
    trace_copy(device_, from, count * element_bytes_, true);
    memory_->upload(first * element_bytes_, from, count * element_bytes_);
}

void Storage::download(void* to, std::size_t first, std::size_t count) const {
    if (count == 0) return;
    trace_copy(device_, to, count * element_bytes_, false);
    memory_->download(first * element_bytes_, to, count * element_bytes_);
}

void Storage::fill_zero() {
    if (count_ > 0) memory_->fill_zero();
}

void fail_count(long long count) {
    throw Error("Buffer: ", count, " elements. Give a size that is not negative.");
}

void fail_offset(long long offset, std::size_t count) {
    throw Error("Buffer + ", offset, ": the buffer has ", count,
                " elements. Give an offset from 0 to that number.");
}

void fail_sizes(const char* operation, std::size_t host, std::size_t device) {
    throw Error(std::string(operation) + ": " + to_text(static_cast<unsigned long long>(host)) +
                " elements on the host, " + to_text(static_cast<unsigned long long>(device)) +
                " in the buffer. Make both the same size.");
}

}  // namespace lanes::gpu
