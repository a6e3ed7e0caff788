#include "shadow.hpp"

#include "lanes/base/error.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

namespace lanes::gpu::simulator {
namespace {

struct Known {
    std::size_t bytes = 0;
    bool initialised = false;  // the whole buffer, as long as it has no shadow
    std::shared_ptr<Shadow> shadow;
};

std::mutex mutex;

std::map<std::uintptr_t, Known>& allocations() {
    // Never destroyed: buffers may outlive static objects.
    static auto* map = new std::map<std::uintptr_t, Known>;
    return *map;
}

std::map<std::uintptr_t, Known>::iterator find(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    auto after = allocations().upper_bound(at);
    if (after == allocations().begin()) return allocations().end();
    --after;
    return at - after->first < after->second.bytes ? after : allocations().end();
}

std::shared_ptr<Shadow> shadow_of(Known& known) {
    if (!known.shadow) {
        known.shadow = std::make_shared<Shadow>(known.bytes);
        if (!known.initialised) known.shadow->clear(false);
    }
    return known.shadow;
}

}  // namespace

Shadow::Shadow(std::size_t bytes) : bytes_(bytes) {
    mapped_ = std::max<std::size_t>(3 * count() * sizeof(cell::Word), 1);
    void* memory = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        throw Error(
            "launch: no memory left to watch a buffer of ", bytes,
            " bytes, which takes six times as much. Use smaller buffers, or a device without "
            "checks: device.fast().");
    // It is accessed from end to end: fewer, larger pages are faster.
    madvise(memory, mapped_, MADV_HUGEPAGE);
    words_ = static_cast<cell::Word*>(memory);
}

Shadow::~Shadow() { munmap(words_, mapped_); }

void Shadow::mark(std::size_t offset, std::size_t bytes, bool initialised) {
    if (!initialised) known_initialised_ = false;
    const std::size_t end = offset + bytes;
    while (offset < end) {
        const std::size_t in_cell = offset % 4, many = std::min(4 - in_cell, end - offset);
        const cell::Word mask = ((1u << many) - 1) << in_cell;
        cell::Word& word = words_[offset / 4];
        word = initialised ? word & ~mask : word | mask;
        offset += many;
    }
}

void Shadow::clear(bool initialised) {
    known_initialised_ = initialised;
    std::fill_n(writes(), count(), initialised ? 0 : cell::uninitialised);
    std::fill_n(reads(), count(), 0);
}

void Shadow::forget_segments() {
    std::for_each(writes(), writes() + count(),
                  [](cell::Word& word) { word &= cell::uninitialised; });
    std::fill_n(reads(), count(), 0);
}

bool Shadow::is_initialised() {
    if (known_initialised_ || bytes_ == 0) return true;
    cell::Word any = 0;
    for (std::size_t i = 0; i + 1 < count(); ++i) any |= words_[i];
    return known_initialised_ = !(any & cell::uninitialised) && !(words_[count() - 1] & of_last());
}

Values Shadow::values() {
    if (is_initialised()) return {};
    const auto lacks_all = [](cell::Word word) {
        return (word & cell::uninitialised) == cell::uninitialised;
    };
    if (std::all_of(writes(), writes() + count() - 1, lacks_all) &&
        (words_[count() - 1] & of_last()) == of_last())
        return {Holding::nothing, {}};
    Values values{Holding::something, std::vector<unsigned char>(count())};
    std::transform(writes(), writes() + count(), values.missing.begin(), [](cell::Word word) {
        return static_cast<unsigned char>(word & cell::uninitialised);
    });
    return values;
}

void Shadow::set(const Values& values) {
    if (values.holding != Holding::something) return clear(values.holding == Holding::everything);
    known_initialised_ = false;
    for (std::size_t i = 0; i < count(); ++i)
        words_[i] = (words_[i] & ~cell::uninitialised) | values.missing[i];
}

void memory_allocated(const void* first, std::size_t bytes) {
    std::lock_guard lock(mutex);
    allocations()[reinterpret_cast<std::uintptr_t>(first)] = {bytes, false, nullptr};
}

void memory_written(const void* first, std::size_t bytes) {
    std::lock_guard lock(mutex);
    auto found = find(first);
    if (found == allocations().end() || bytes == 0) return;
    Known& known = found->second;
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(first) - found->first;
    if (offset == 0 && bytes >= known.bytes) {
        known.initialised = true;
        known.shadow = nullptr;
    } else if (!known.initialised || known.shadow) {
        shadow_of(known)->mark(offset, std::min(bytes, known.bytes - offset), true);
    }
}

void memory_freed(const void* first, std::size_t) {
    std::lock_guard lock(mutex);
    allocations().erase(reinterpret_cast<std::uintptr_t>(first));
}

Allocation allocation_at(const void* address) {
    std::lock_guard lock(mutex);
    auto found = find(address);
    if (found == allocations().end()) return {};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the key is an address, stored as a number
    return {reinterpret_cast<const unsigned char*>(found->first), found->second.bytes,
            shadow_of(found->second)};
}

bool is_initialised(const void* first) {
    std::lock_guard lock(mutex);
    const auto found = allocations().find(reinterpret_cast<std::uintptr_t>(first));
    if (found == allocations().end()) return false;
    return found->second.shadow ? found->second.shadow->is_initialised()
                                : found->second.initialised;
}

Values values_at(const void* first) {
    std::lock_guard lock(mutex);
    const auto found = allocations().find(reinterpret_cast<std::uintptr_t>(first));
    if (found == allocations().end()) return {};
    if (found->second.shadow) return found->second.shadow->values();
    return {found->second.initialised ? Holding::everything : Holding::nothing, {}};
}

void set_values(const void* first, const Values& values) {
    std::lock_guard lock(mutex);
    const auto found = allocations().find(reinterpret_cast<std::uintptr_t>(first));
    if (found != allocations().end() && found->second.shadow) found->second.shadow->set(values);
}

void forget_all_segments() {
    std::lock_guard lock(mutex);
    for (auto& [first, known] : allocations())
        if (known.shadow) known.shadow->forget_segments();
}

}  // namespace lanes::gpu::simulator
