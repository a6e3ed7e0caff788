#include "own_gemm.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

namespace lanes {

namespace {

// A cache line of numbers, in one, two or four registers. It may start at any number of a matrix,
// so its alignment is that of one number.
template <class T>
struct Simd {
    typedef T Type __attribute__((vector_size(64), aligned(alignof(T)), may_alias));
};
template <class T>
using Unit = typename Simd<T>::Type;
template <class T>
constexpr std::size_t unit = 64 / sizeof(T);

#ifdef __AVX512F__
constexpr std::size_t tile_rows = 8, tile_units = 2;  // 16 of 32 registers hold sums
#else
constexpr std::size_t tile_rows = 4, tile_units = 1;
#endif

constexpr std::size_t short_depth = 800;  // up to here a sum is computed in one pass
// Otherwise so many rows of b at a time: a tile's columns of them fit into the first-level cache.
constexpr std::size_t depth = 256;

// c[Rows, Units] = (or +=) a[Rows, k] * b[k, Units]; template constants, so that sums stay in
// registers.
template <std::size_t Rows, std::size_t Units, class T>
inline void tile(std::size_t k, const T* a, std::size_t lda, const T* b, std::size_t ldb, T* c,
                 std::size_t ldc, bool add) {
    Unit<T> sums[Rows][Units] = {};
    for (std::size_t p = 0; p < k; ++p) {
        const auto* const right = reinterpret_cast<const Unit<T>*>(b + p * ldb);
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Rows; ++i)
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < Units; ++j) sums[i][j] += a[i * lda + p] * right[j];
    }
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < Rows; ++i) {
        auto* const to = reinterpret_cast<Unit<T>*>(c + i * ldc);
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Units; ++j) to[j] = add ? to[j] + sums[i][j] : sums[i][j];
    }
}

template <std::size_t Units, class T>
void tiles_of_columns(std::size_t m, std::size_t k, const T* a, std::size_t lda, const T* b,
                      std::size_t ldb, T* c, std::size_t ldc, bool add) {
    std::size_t i = 0;
    for (; i + tile_rows <= m; i += tile_rows)
        tile<tile_rows, Units>(k, a + i * lda, lda, b, ldb, c + i * ldc, ldc, add);
    if (i + 4 <= m) {
        tile<4, Units>(k, a + i * lda, lda, b, ldb, c + i * ldc, ldc, add);
        i += 4;
    }
    for (; i < m; ++i) tile<1, Units>(k, a + i * lda, lda, b, ldb, c + i * ldc, ldc, add);
}

// Copies Units * unit columns of b, or fewer, row after row: in a wide matrix each row would be on
// another page.
template <std::size_t Units, class T>
void pack(std::size_t columns, std::size_t k, const T* b, std::size_t ldb, std::vector<T>& packed) {
    packed.assign(k * Units * unit<T>, T{0});
    for (std::size_t p = 0; p < k; ++p)
        std::copy_n(b + p * ldb, columns, &packed[p * Units * unit<T>]);
}

// The last columns, fewer than a unit: computed in a separate buffer, padded with zeros.
template <class T>
void last_columns(std::size_t m, std::size_t columns, std::size_t k, const T* a, std::size_t lda,
                  const T* b, std::size_t ldb, T* c, std::size_t ldc, bool add) {
    std::vector<T> packed, result(m * unit<T>);
    pack<1>(columns, k, b, ldb, packed);
    tiles_of_columns<1>(m, k, a, lda, packed.data(), unit<T>, result.data(), unit<T>, false);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            c[i * ldc + j] = result[i * unit<T> + j] + (add ? c[i * ldc + j] : T{0});
}

template <class T>
void rows_of_product(std::size_t m, std::size_t n, std::size_t k, const T* a, const T* b, T* c) {
    if (k == 0) std::fill(c, c + m * n, T{0});
    constexpr std::size_t width = tile_units * unit<T>;
    const bool packs = m >= 8 * tile_rows && k > 64;  // otherwise a copy costs more than it saves
    const std::size_t deepest = k <= short_depth ? k : depth;
    std::vector<T> packed;
    for (std::size_t p = 0; p < k; p += deepest) {
        const std::size_t deep = std::min(deepest, k - p);
        std::size_t j = 0;
        for (; j + width <= n; j += width) {
            const T* const right = b + p * n + j;
            if (packs) pack<tile_units>(width, deep, right, n, packed);
            tiles_of_columns<tile_units>(m, deep, a + p, k, packs ? packed.data() : right,
                                         packs ? width : n, c + j, n, p > 0);
        }
        for (; j + unit<T> <= n; j += unit<T>)
            tiles_of_columns<1>(m, deep, a + p, k, b + p * n + j, n, c + j, n, p > 0);
        if (j < n) last_columns(m, n - j, deep, a + p, k, b + p * n + j, n, c + j, n, p > 0);
    }
}

template <class T>
void multiply(std::size_t m, std::size_t n, std::size_t k, const T* a, const T* b, T* c,
              int threads) {
    // Multiplications: starting a thread costs about as much.
    constexpr std::size_t worth_a_thread = 1000000;
    const std::size_t useful = std::max<std::size_t>(1, m * n * k / worth_a_thread);
    const std::size_t parts = std::min({static_cast<std::size_t>(std::max(1, threads)), useful,
                                        std::max<std::size_t>(1, m / tile_rows)});
    if (parts == 1) return rows_of_product(m, n, k, a, b, c);
    // Each part has whole tiles of rows, so that the order of every sum stays the same.
    const std::size_t each = (m / tile_rows + parts - 1) / parts * tile_rows;
    std::vector<std::thread> helpers;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t first = std::min(m, part * each),
                          last = part + 1 == parts ? m : std::min(m, first + each);
        const auto work = [=] {
            rows_of_product(last - first, n, k, a + first * k, b, c + first * n);
        };
        part + 1 == parts ? work() : static_cast<void>(helpers.emplace_back(work));
    }
    for (std::thread& helper : helpers) helper.join();
}

}  // namespace

void own_gemm(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b, float* c,
              int threads) {
    multiply(m, n, k, a, b, c, threads);
}

void own_gemm(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b,
              double* c, int threads) {
    multiply(m, n, k, a, b, c, threads);
}

}  // namespace lanes
