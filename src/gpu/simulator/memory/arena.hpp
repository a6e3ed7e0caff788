// Global memory of the simulated device: one reservation of address space for all buffers of the
// process. A check finds the shadow of a byte at a fixed distance, and can tell an address of the
// device from one of the host. Between two buffers lies memory that cannot be accessed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanes::gpu::simulator {

constexpr std::size_t arena_bytes = std::size_t(64) << 30;
constexpr std::size_t arena_gap = 4096;  // at least this much after each buffer
// Inaccessible memory before and after the arena: a wrong index of 32 bits cannot reach anything
// else.
constexpr std::size_t arena_margin = std::size_t(32) << 30;

// Reserved on first use. Throws Error if the address space is limited.
unsigned char* arena_first();

// An address below this one is a null pointer plus an index: no program has memory there.
constexpr std::uintptr_t null_bytes = std::uintptr_t{4} << 20;

inline bool in_arena(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) -
               reinterpret_cast<std::uintptr_t>(arena_first()) <
           arena_bytes;
}

// The same including the margins, where the host has no memory.
inline bool near_arena(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) -
               reinterpret_cast<std::uintptr_t>(arena_first()) + arena_margin <
           arena_bytes + 2 * arena_margin;
}

// bytes may be 0: the result is a unique address without memory. Throws Error if no memory is left.
// Thread-safe.
void* arena_allocate(std::size_t bytes);
void arena_free(void* first) noexcept;
std::size_t arena_memory_bytes();  // memory of the machine

}  // namespace lanes::gpu::simulator
