// Shared by the loops of correlation_fast. A block of the result (some rows, two registers wide)
// stays in registers; blocks side by side are a strip.
#pragma once

#include "stream_store.hpp"

#include "base/thread_pool.hpp"
#include "lanes/array/types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lanes::ops {

// Throws Error unless the rows and columns of the filter are odd and at most 15. In
// correlation.cpp.
void require_filter(const char* operation, const Matrix& filter);

using Index = std::ptrdiff_t;

// A SIMD register of the machine.
#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif
using Register __attribute__((vector_size(register_bytes))) = float;

constexpr Index floats = register_bytes / sizeof(float), registers = 2,
                block_columns = registers * floats;

inline Register load(const float* from) {
    Register loaded;
    std::memcpy(&loaded, from, sizeof loaded);  // unaligned
    return loaded;
}

struct Images {
    const float* image;
    float* result;
    Index rows, columns;  // of both
    bool bypass_caches;   // stores bypass the caches
    Index read_ahead;     // how many blocks to prefetch, if memory limits the speed

    const float* from(Index top, Index left) const { return image + top * columns + left; }
    float* at(Index top, Index left) const { return result + top * columns + left; }

    // The last column up to `column` at which a block starts at a cache line, if all rows are
    // aligned alike: a store across two lines takes twice as long.
    Index last_aligned(Index top, Index column) const {
        if (columns % floats != 0) return column;
        return column - static_cast<Index>(reinterpret_cast<std::uintptr_t>(at(top, column)) %
                                           sizeof(Register) / sizeof(float));
    }
};

template <Index rows, Index width>
inline __attribute__((always_inline)) void store_block(const Register (&sums)[rows][width],
                                                       float* result, Index stride,
                                                       [[maybe_unused]] bool bypass_caches) {
#if defined(__clang__)
    if (bypass_caches && reinterpret_cast<std::uintptr_t>(result) % sizeof(Register) == 0) {
        for (Index y = 0; y < rows; ++y)
            for (Index v = 0; v < width; ++v)
                __builtin_nontemporal_store(
                    sums[y][v], reinterpret_cast<Register*>(result + y * stride + v * floats));
        return;
    }
#endif
    for (Index y = 0; y < rows; ++y) std::memcpy(result + y * stride, sums[y], sizeof sums[y]);
}

// Prefetches the memory of blocks further to the right. pixels: the first row that the strip above
// has not read.
template <Index rows>
inline __attribute__((always_inline)) void fetch_ahead(const Images& images, const float* pixels,
                                                       const float* result, Index stride) {
    if (images.read_ahead > 0)
        for (Index y = 0; y < rows; ++y)
            for (Index v = 0; v < registers; ++v)
                __builtin_prefetch(pixels + y * images.columns + images.read_ahead * block_columns +
                                   v * floats);
    if (!images.bypass_caches)
        for (Index y = 0; y < rows; ++y)
            for (Index v = 0; v < registers; ++v)
                __builtin_prefetch(result + y * stride + block_columns + v * floats, 1);
}

// Calls strip(top) for strips of `rows` rows that cover the image. The last strip ends with the
// image and may overlap the one before; the same thread computes both. An image with fewer rows has
// one strip, which begins at 0.
template <Index rows, class F>
void for_strips(const Images& images, std::size_t multiplications, Index workers, F&& strip) {
    // Multiplications: waking a thread costs about as much.
    constexpr std::size_t worth_a_thread = 1000000;
    const Index strips = std::max<Index>(1, images.rows / rows);
    const auto one = [&](Index index) {
        strip(index * rows);
        if (index == strips - 1 && strips * rows < images.rows) strip(images.rows - rows);
        if (images.bypass_caches) finish_stores();
    };
    const Index threads = std::clamp<Index>(static_cast<Index>(multiplications / worth_a_thread), 1,
                                            std::min(workers, strips));
    run_parts(static_cast<std::size_t>(strips), static_cast<std::size_t>(threads),
              [&](std::size_t index, std::size_t) { one(static_cast<Index>(index)); });
}

// The loop for 3x3 filters, whose coefficients all stay in registers. filter: (3, 3)
void correlate_3x3(const float* filter, const Images& images, Index workers);

// The smallest image that correlate_3x3 accepts.
constexpr Index smallest_rows_3x3 = 8, smallest_columns_3x3 = 2 * block_columns;

}  // namespace lanes::ops
