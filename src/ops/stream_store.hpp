// Stores of whole cache lines, which may bypass the caches. The vectors are those of the compiler
// (GCC and clang): one source for AVX-512, AVX2 and NEON.
#pragma once

#include "base/cache_size.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lanes::ops {

template <class T>
struct LineOf {
    using type __attribute__((vector_size(64))) = T;
};

template <class T>
using Line = typename LineOf<T>::type;

// Whether stores should bypass the caches in a task that reads and writes so many bytes in all: if
// these do not fit the last-level cache. If they fit, the next task finds them there. Not on ARM:
// its cores notice themselves that whole cache lines are overwritten, and need not read them first.
// On a Neoverse N1 such stores were never faster; in blocks of several rows they took 1.4 times as
// long.
inline bool should_bypass_caches([[maybe_unused]] std::size_t bytes) {
#if defined(__x86_64__)
    return bytes > cache_sizes().last;
#else
    return false;
#endif
}

template <class T>
Line<T> load_line(const T* from) {
    Line<T> line;
    std::memcpy(&line, from, sizeof line);  // unaligned
    return line;
}

// to: must be a multiple of 64
template <bool bypass_caches, class T>
void store_line(T* to, Line<T> line) {
    auto* place = reinterpret_cast<Line<T>*>(to);
#if defined(__clang__)
    if constexpr (bypass_caches) {
        __builtin_nontemporal_store(line, place);
        return;
    }
#endif
    *place = line;
}

// Stores that bypass the caches are not ordered with other stores: they must be complete before
// this thread signals to another one that it has finished.
inline void finish_stores() { std::atomic_thread_fence(std::memory_order_seq_cst); }

}  // namespace lanes::ops
