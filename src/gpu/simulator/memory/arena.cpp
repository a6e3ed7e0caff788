#include "arena.hpp"

#include "base/math.hpp"
#include "lanes/base/error.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace lanes::gpu::simulator {

namespace {

std::size_t page_bytes() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::size_t rounded(std::size_t bytes) {
    const std::size_t page = page_bytes();
    return round_up(bytes, page);
}

// Free and used parts of the reservation: first byte and size. Freed neighbours are joined.
struct Stretches {
    std::mutex mutex;
    std::map<std::size_t, std::size_t> free{{0, arena_bytes}}, used;
};

// Never destroyed: a global tensor that was made before the first use of the simulator's memory is
// destroyed after the static variables of this file.
Stretches& stretches() {
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory)
    static auto* const all = new Stretches;
    return *all;
}

}  // namespace

unsigned char* arena_first() {
    static auto* const first = [] {
        void* reserved = mmap(nullptr, arena_bytes + 2 * arena_margin, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (reserved == MAP_FAILED)
            throw Error(
                "simulator: the address space is too small for ", arena_bytes >> 30,
                " GiB of device memory (ulimit -v?). Raise the limit; only what buffers hold is "
                "really used.");
        return static_cast<unsigned char*>(reserved) + arena_margin;
    }();
    return first;
}

void* arena_allocate(std::size_t bytes) {
    unsigned char* const first = arena_first();
    if (bytes > arena_memory_bytes())
        throw Error("Buffer: ", bytes,
                    " bytes asked for, the simulator's device has the machine's ",
                    arena_memory_bytes(), ". Use a smaller buffer.");
    const std::size_t usable = rounded(bytes),
                      whole = usable + std::max(rounded(arena_gap), page_bytes());
    Stretches& all = stretches();
    const std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = std::find_if(all.free.begin(), all.free.end(),
                                    [&](const auto& stretch) { return stretch.second >= whole; });
    if (found == all.free.end())
        throw Error("Buffer: no memory left for ", bytes,
                    " bytes on the simulator. Free buffers that are no longer needed.");
    const auto [offset, length] = *found;
    if (usable != 0 && mprotect(first + offset, usable, PROT_READ | PROT_WRITE) != 0)
        throw Error("Buffer: the machine has no memory left for ", bytes,
                    " bytes. Use a smaller buffer.");
    all.free.erase(found);
    if (length > whole) all.free.emplace(offset + whole, length - whole);
    all.used.emplace(offset, whole);
    return first + offset;
}

void arena_free(void* address) noexcept {
    if (!address) return;
    Stretches& all = stretches();
    const std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.used.find(
        static_cast<std::size_t>(static_cast<unsigned char*>(address) - arena_first()));
    if (found == all.used.end()) return;
    auto [offset, length] = *found;
    all.used.erase(found);
    // A new mapping instead of madvise + mprotect: it discards the contents and returns the memory.
    void* const emptied = mmap(arena_first() + offset, length, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    // Never used again: otherwise a new buffer would begin with the old one's contents.
    if (emptied == MAP_FAILED) return;
    auto next = all.free.lower_bound(offset);
    if (next != all.free.end() && next->first == offset + length) {
        length += next->second;
        next = all.free.erase(next);
    }
    if (next != all.free.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == offset) {
            before->second += length;
            return;
        }
    }
    all.free.emplace(offset, length);
}

std::size_t arena_memory_bytes() {
    static const std::size_t bytes =
        std::min(static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes(), arena_bytes / 2);
    return bytes;
}

}  // namespace lanes::gpu::simulator
