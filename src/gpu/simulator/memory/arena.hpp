// Global memory of the simulated device: one reservation of address space for all buffers of the
// process, so that a check finds what it knows about a byte at a fixed distance, and knows an
// address of the device from one of the host. Between two buffers lies memory that cannot be
// touched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanes::gpu::simulator {

constexpr std::size_t arena_bytes = std::size_t(64) << 30;
constexpr std::size_t arena_gap = 4096;  // at least, behind each buffer
constexpr std::size_t arena_margin = std::size_t(32)
                                     << 30;  // before and behind, untouchable: an index of 32 bits
                                             // that is wrong ends up nowhere else

unsigned char*
arena_first();  // reserves on first use; throws Error where the address space is limited

constexpr std::uintptr_t null_bytes =
    std::uintptr_t{4}
    << 20;  // an address below is a null pointer with an index: nothing of a program lies there

inline bool in_arena(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) -
               reinterpret_cast<std::uintptr_t>(arena_first()) <
           arena_bytes;
}

// The same with the margins: nothing of the host lies there.
inline bool near_arena(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) -
               reinterpret_cast<std::uintptr_t>(arena_first()) + arena_margin <
           arena_bytes + 2 * arena_margin;
}

// bytes may be 0: an address that is nobody else's, with nothing behind it. Throws Error where no
// memory is left. Thread-safe.
void* arena_allocate(std::size_t bytes);
void arena_free(void* first) noexcept;
std::size_t arena_memory_bytes();  // what the machine has

}  // namespace lanes::gpu::simulator
