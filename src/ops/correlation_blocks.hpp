// What the loops of correlation_fast share. Some rows by two registers of the result at a time, a
// block, stay in registers; blocks side by side are a strip.
#pragma once

#include "stream_store.hpp"

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

// A register of the machine.
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
    std::memcpy(&loaded, from, sizeof loaded);  // at any address
    return loaded;
}

struct Images {
    const float* image;
    float* result;
    Index rows, columns;  // of both
    bool around_caches;   // for the stores
    Index read_ahead;     // so many blocks, where memory sets the pace

    const float* from(Index top, Index left) const { return image + top * columns + left; }
    float* at(Index top, Index left) const { return result + top * columns + left; }

    // The last column up to `column` where a block begins at a border of cache lines, if rows lie
    // alike to them: a store across one takes twice as long.
    Index last_aligned(Index top, Index column) const {
        if (columns % floats != 0) return column;
        return column - static_cast<Index>(reinterpret_cast<std::uintptr_t>(at(top, column)) %
                                           sizeof(Register) / sizeof(float));
    }
};

template <Index rows, Index width>
inline __attribute__((always_inline)) void store_block(const Register (&sums)[rows][width],
                                                       float* result, Index stride,
                                                       [[maybe_unused]] bool around_caches) {
#if defined(__clang__)
    if (around_caches && reinterpret_cast<std::uintptr_t>(result) % sizeof(Register) == 0) {
        for (Index y = 0; y < rows; ++y)
            for (Index v = 0; v < width; ++v)
                __builtin_nontemporal_store(
                    sums[y][v], reinterpret_cast<Register*>(result + y * stride + v * floats));
        return;
    }
#endif
    for (Index y = 0; y < rows; ++y) std::memcpy(result + y * stride, sums[y], sizeof sums[y]);
}

// Asks for the memory of blocks further to the right. pixels: of the first row that the strip above
// has not read.
template <Index rows>
inline __attribute__((always_inline)) void fetch_ahead(const Images& images, const float* pixels,
                                                       const float* result, Index stride) {
    if (images.read_ahead > 0)
        for (Index y = 0; y < rows; ++y)
            for (Index v = 0; v < registers; ++v)
                __builtin_prefetch(pixels + y * images.columns + images.read_ahead * block_columns +
                                   v * floats);
    if (!images.around_caches)
        for (Index y = 0; y < rows; ++y)
            for (Index v = 0; v < registers; ++v)
                __builtin_prefetch(result + y * stride + block_columns + v * floats, 1);
}

// Calls strip(top) for strips of `rows` rows that cover the image. The last ends with the image;
// what it shares with the one before is computed twice, by the same thread. In an image of fewer
// rows, the only one begins at 0.
template <Index rows, class F>
void for_strips(const Images& images, std::size_t multiplications, Index workers, F&& strip) {
    constexpr std::size_t worth_a_thread =
        1000000;  // multiplications: waking a thread costs about as much
    const Index strips = std::max<Index>(1, images.rows / rows);
    const auto one = [&](Index index) {
        strip(index * rows);
        if (index == strips - 1 && strips * rows < images.rows) strip(images.rows - rows);
        if (images.around_caches) finish_stores();
    };
    const Index parts = std::clamp<Index>(static_cast<Index>(multiplications / worth_a_thread), 1,
                                          std::min(workers, strips));
    if (parts == 1) {  // without a word to OpenMP, which takes a microsecond
        for (Index index = 0; index < strips; ++index) one(index);
        return;
    }
    [[maybe_unused]] const Index at_once = std::max<Index>(1, strips / (8 * parts));
#pragma omp parallel for num_threads(static_cast<int>(parts)) schedule(dynamic, at_once)
    for (Index index = 0; index < strips; ++index) one(index);
}

// The loop for filters of 3x3, all of whose coefficients stay in registers. filter: (3, 3)
void correlate_3x3(const float* filter, const Images& images, Index workers);

constexpr Index smallest_rows_3x3 = 8,
                smallest_columns_3x3 = 2 * block_columns;  // of an image that it takes

}  // namespace lanes::ops
