#include "own_gemm.hpp"

#include <algorithm>
#include <thread>
#include <vector>

namespace lanes {

namespace {

constexpr std::size_t depth = 256;  // rows of b at a time: depth x width of b stay in the second-level cache
constexpr std::size_t tile_rows = 4;

template <class T>
constexpr std::size_t tile_columns = 128 / sizeof(T);  // tile_rows x tile_columns sums stay in registers

template <class T>
constexpr std::size_t width = 16 * tile_columns<T>;

// c[rows, columns] += a[rows, k] * b[k, columns]; both counts are those of a tile, so that the compiler unrolls and vectorises.
template <class T>
void whole_tile(std::size_t k, const T* a, std::size_t lda, const T* b, std::size_t ldb, T* c, std::size_t ldc) {
    T sums[tile_rows][tile_columns<T>] = {};
    for (std::size_t p = 0; p < k; ++p)
        for (std::size_t i = 0; i < tile_rows; ++i)
            for (std::size_t j = 0; j < tile_columns<T>; ++j) sums[i][j] += a[i * lda + p] * b[p * ldb + j];
    for (std::size_t i = 0; i < tile_rows; ++i)
        for (std::size_t j = 0; j < tile_columns<T>; ++j) c[i * ldc + j] += sums[i][j];
}

template <class T>
void part_of_tile(std::size_t rows, std::size_t columns, std::size_t k, const T* a, std::size_t lda, const T* b, std::size_t ldb, T* c, std::size_t ldc) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t p = 0; p < k; ++p)
            for (std::size_t j = 0; j < columns; ++j) c[i * ldc + j] += a[i * lda + p] * b[p * ldb + j];
}

template <class T>
void rows_of_product(std::size_t m, std::size_t n, std::size_t k, const T* a, const T* b, T* c) {
    std::fill(c, c + m * n, T{0});
    for (std::size_t p = 0; p < k; p += depth) {
        const std::size_t deep = std::min(depth, k - p);
        for (std::size_t panel = 0; panel < n; panel += width<T>) {
            const std::size_t panel_end = std::min(n, panel + width<T>);
            for (std::size_t i = 0; i < m; i += tile_rows) {
                const std::size_t rows = std::min(tile_rows, m - i);
                for (std::size_t j = panel; j < panel_end; j += tile_columns<T>) {
                    const std::size_t columns = std::min(tile_columns<T>, panel_end - j);
                    const T *from_a = a + i * k + p, *from_b = b + p * n + j;
                    if (rows == tile_rows && columns == tile_columns<T>)
                        whole_tile(deep, from_a, k, from_b, n, c + i * n + j, n);
                    else
                        part_of_tile(rows, columns, deep, from_a, k, from_b, n, c + i * n + j, n);
                }
            }
        }
    }
}

template <class T>
void multiply(std::size_t m, std::size_t n, std::size_t k, const T* a, const T* b, T* c, int threads) {
    constexpr std::size_t worth_a_thread = 1000000;  // multiplications: starting a thread costs about as much
    const std::size_t useful = std::max<std::size_t>(1, m * n * k / worth_a_thread);
    const std::size_t parts = std::min({static_cast<std::size_t>(std::max(1, threads)), useful, std::max<std::size_t>(1, m / tile_rows)});
    // whole tiles of rows for each part: the order of every sum stays the same
    const std::size_t each = (m / tile_rows + parts - 1) / parts * tile_rows;
    std::vector<std::thread> helpers;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t first = std::min(m, part * each), last = part + 1 == parts ? m : std::min(m, first + each);
        const auto work = [=] { rows_of_product(last - first, n, k, a + first * k, b, c + first * n); };
        part + 1 == parts ? work() : static_cast<void>(helpers.emplace_back(work));
    }
    for (std::thread& helper : helpers) helper.join();
}

}  // namespace

void own_gemm(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b, float* c, int threads) { multiply(m, n, k, a, b, c, threads); }

void own_gemm(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c, int threads) { multiply(m, n, k, a, b, c, threads); }

}  // namespace lanes
