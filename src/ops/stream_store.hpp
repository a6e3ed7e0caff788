// Stores of whole cache lines, around the caches where that is asked for. Vectors are those of the
// compiler (GCC and clang): one source for AVX-512, AVX2 and NEON.
#pragma once

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

// Bytes of a result that does not stay in a core's own caches anyway. Seen for 4 MB: a fifth
// faster.
constexpr std::size_t around_caches_from = std::size_t{2} << 20;

template <class T>
Line<T> load_line(const T* from) {
    Line<T> line;
    std::memcpy(&line, from, sizeof line);  // at any address
    return line;
}

// to: divisible by 64
template <bool around_caches, class T>
void store_line(T* to, Line<T> line) {
    auto* place = reinterpret_cast<Line<T>*>(to);
#if defined(__clang__)
    if constexpr (around_caches) {
        __builtin_nontemporal_store(line, place);
        return;
    }
#endif
    *place = line;
}

// Stores around the caches are not ordered with others: before another thread is told that they are
// done, they must be.
inline void finish_stores() { std::atomic_thread_fence(std::memory_order_seq_cst); }

}  // namespace lanes::ops
