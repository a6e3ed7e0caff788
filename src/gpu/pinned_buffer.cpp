#include "lanes/gpu/pinned_buffer.hpp"

#include "backend.hpp"
#include "lanes/base/error.hpp"

#include <sys/mman.h>

#include <limits>
#include <map>
#include <mutex>

namespace lanes::gpu {

namespace {

struct PinnedRanges {
    std::mutex mutex;
    std::map<const char*, std::size_t> bytes;  // by their first address
};

PinnedRanges& pinned_ranges() {
    // Never freed: a static PinnedBuffer may be destroyed later.
    static auto* const ranges = new PinnedRanges;
    return *ranges;
}

}  // namespace

bool is_pinned(const void* start, std::size_t bytes) {
    PinnedRanges& ranges = pinned_ranges();
    const std::lock_guard<std::mutex> lock(ranges.mutex);
    const auto* first = static_cast<const char*>(start);
    auto next = ranges.bytes.upper_bound(first);
    if (next == ranges.bytes.begin()) return false;
    const auto& [begin, size] = *--next;
    return first + bytes <= begin + size;
}

std::shared_ptr<void> pinned_memory(const Device& device, std::size_t count,
                                    std::size_t element_bytes) {
    LANES_REQUIRE(count < std::numeric_limits<std::size_t>::max() / 2 / element_bytes,
                  "PinnedBuffer: ", count, " elements of ", element_bytes,
                  " bytes are more than any memory holds. Give a smaller size.");
    const std::size_t bytes = count * element_bytes + 1;
    // shared: after a fork, pages that belong to one process alone would be copied when they are
    // written, and the GPU would go on with the old ones
    void* const start =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    LANES_REQUIRE(start != MAP_FAILED, "PinnedBuffer: ", bytes,
                  " bytes: the machine has not enough memory. Use a smaller buffer.");
    const auto& backend = device.backend();
    try {
        backend->pin(start, bytes);
    } catch (...) {
        munmap(start, bytes);
        throw;
    }
    {
        PinnedRanges& ranges = pinned_ranges();
        const std::lock_guard<std::mutex> lock(ranges.mutex);
        ranges.bytes[static_cast<const char*>(start)] = bytes;
    }
    return {start, [backend, bytes](void* memory) {
                {
                    PinnedRanges& ranges = pinned_ranges();
                    const std::lock_guard<std::mutex> lock(ranges.mutex);
                    ranges.bytes.erase(static_cast<const char*>(memory));
                }
                backend->unpin(memory);
                munmap(memory, bytes);
            }};
}

}  // namespace lanes::gpu
