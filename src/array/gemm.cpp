#include "gemm.hpp"

#include "one_blas_thread.hpp"
#include "small_gemm.hpp"

#include "base/math.hpp"
#include "base/thread_pool.hpp"
#include "lanes/array/blas.hpp"
#include "lanes/base/error.hpp"

#ifndef LANES_STANDALONE
#include <cblas.h>
#endif

#include <algorithm>
#include <limits>
#include <vector>

namespace lanes {

namespace {

template <class T>
struct Operands {
    bool transpose_a, transpose_b;
    std::size_t m, n, k;
    const T* a;
    const T* b;
    T* c;
    bool accumulate;
};

#ifdef LANES_STANDALONE

constexpr std::size_t largest = std::numeric_limits<std::ptrdiff_t>::max();

template <class T>
bool suits_small_gemm(const Operands<T>&) {
    return true;
}

template <class T>
void blas_gemm(bool, bool, std::size_t, std::size_t, std::size_t, const T*, std::size_t, const T*,
               std::size_t, T*, std::size_t, bool) {}

#else

constexpr std::size_t largest = std::numeric_limits<blasint>::max();

template <class T>
bool suits_small_gemm(const Operands<T>& o) {
    constexpr std::size_t narrow = 64;
    if (o.transpose_a && o.transpose_b) return false;
    const double most = o.transpose_b ? 16e6 : 32e6;  // multiplications
    const double work =
        static_cast<double>(o.m) * static_cast<double>(o.n) * static_cast<double>(o.k);
    return std::min({o.m, o.n, o.k}) <= narrow || work <= most;
}

blasint extent(std::size_t value) { return static_cast<blasint>(value); }
CBLAS_TRANSPOSE form(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }

void blas_gemm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k,
               const float* a, std::size_t lda, const float* b, std::size_t ldb, float* c,
               std::size_t ldc, bool accumulate) {
    cblas_sgemm(CblasRowMajor, form(transpose_a), form(transpose_b), extent(m), extent(n),
                extent(k), 1, a, extent(lda), b, extent(ldb), accumulate ? 1 : 0, c, extent(ldc));
}

void blas_gemm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k,
               const double* a, std::size_t lda, const double* b, std::size_t ldb, double* c,
               std::size_t ldc, bool accumulate) {
    cblas_dgemm(CblasRowMajor, form(transpose_a), form(transpose_b), extent(m), extent(n),
                extent(k), 1, a, extent(lda), b, extent(ldb), accumulate ? 1 : 0, c, extent(ldc));
}

#endif

// Reading or writing a number takes about as long as so many multiplications.
constexpr std::size_t reading = 16;

// A product is cut into rows x columns parts; all but the last have so many rows and columns.
struct Grid {
    std::size_t rows, columns;
    std::size_t part_rows, part_columns;
};

// The grid of at most `parts` parts whose largest one takes the least time. Parts consist of
// whole units of rows and columns.
Grid grid_of(std::size_t m, std::size_t n, std::size_t parts, std::size_t row_unit,
             std::size_t column_unit) {
    Grid best{};
    std::size_t least = 0;
    for (std::size_t rows = 1; rows <= parts; ++rows) {
        const std::size_t part_rows = ceil_div(ceil_div(m, rows), row_unit) * row_unit;
        const std::size_t part_columns =
            ceil_div(ceil_div(n, parts / rows), column_unit) * column_unit;
        const std::size_t time = part_rows * part_columns + reading * (part_rows + part_columns);
        if (rows > 1 && time >= least) continue;
        least = time;
        best = {ceil_div(m, part_rows), ceil_div(n, part_columns), part_rows, part_columns};
    }
    return best;
}

template <class T>
void multiply(const Operands<T>& o, const AfterPart& after) {
    LANES_REQUIRE(o.m <= largest && o.n <= largest && o.k <= largest, "matmul: ", o.m, " x ", o.k,
                  " times ", o.k, " x ", o.n, ". BLAS takes up to ", largest, " rows and columns.");
    if (o.m == 0 || o.n == 0) return;
    const bool small = o.k == 0 || suits_small_gemm(o);
    const GemmOrder order = gemm_order(o.transpose_b, o.m, o.k);
    constexpr std::size_t parts_per_thread = 2;  // a thread that is late leaves one to the others
    const auto m = static_cast<double>(o.m), n = static_cast<double>(o.n);
    const double work =
        static_cast<double>(o.k) * (m * n + static_cast<double>(reading) * (m + n)) +
        static_cast<double>(reading) * m * n;
    const std::size_t limit = std::min(max_threads(), static_cast<std::size_t>(blas_threads()));
    const auto useful = [&](std::size_t most) {
        return static_cast<std::size_t>(
            std::clamp(work / gemm_worth_a_thread, 1.0, static_cast<double>(most)));
    };
    const std::size_t threads = useful(limit);
    // Copying a transposed b pays only for many rows of a.
    const bool packs_rows = small && o.transpose_b && order == GemmOrder::packed;
    const Grid grid = grid_of(o.m, o.n, threads == 1 ? 1 : useful(parts_per_thread * threads),
                              packs_rows ? 48
                              : small    ? 6
                                         : 16,
                              small && order != GemmOrder::dots ? small_gemm_columns : 16);
    const OneBlasThread one;
    run_parts(grid.rows * grid.columns, threads, [&](std::size_t part, std::size_t) {
        const std::size_t top = part / grid.columns * grid.part_rows;
        const std::size_t left = part % grid.columns * grid.part_columns;
        const std::size_t bottom = std::min(o.m, top + grid.part_rows);
        const std::size_t right = std::min(o.n, left + grid.part_columns);
        const auto multiply_part = [&](auto multiply) {
            multiply(o.transpose_a, o.transpose_b, bottom - top, right - left, o.k,
                     o.a + (o.transpose_a ? top : top * o.k), o.transpose_a ? o.m : o.k,
                     o.b + (o.transpose_b ? left * o.k : left), o.transpose_b ? o.k : o.n,
                     o.c + top * o.n + left, o.n, o.accumulate);
        };
        small ? multiply_part([=](auto... all) { small_gemm(order, all...); })
              : multiply_part([](auto... all) { blas_gemm(all...); });
        if (after) after(top, bottom, left, right);
    });
}

#ifdef LANES_STANDALONE

// small_gemm does not take two transposed matrices.
template <class T>
void multiply_transposed(Operands<T> o, const AfterPart& after) {
    std::vector<T> a(o.m * o.k);
    for (std::size_t p = 0; p < o.k; ++p)
        for (std::size_t i = 0; i < o.m; ++i) a[i * o.k + p] = o.a[p * o.m + i];
    o.a = a.data();
    o.transpose_a = false;
    multiply(o, after);
}

#else

template <class T>
void multiply_transposed(const Operands<T>& o, const AfterPart& after) {
    multiply(o, after);
}

#endif

}  // namespace

void gemm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k,
          const float* a, const float* b, float* c, bool accumulate, const AfterPart& after) {
    const Operands<float> o{transpose_a, transpose_b, m, n, k, a, b, c, accumulate};
    transpose_a&& transpose_b ? multiply_transposed(o, after) : multiply(o, after);
}

void gemm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k,
          const double* a, const double* b, double* c, bool accumulate, const AfterPart& after) {
    const Operands<double> o{transpose_a, transpose_b, m, n, k, a, b, c, accumulate};
    transpose_a&& transpose_b ? multiply_transposed(o, after) : multiply(o, after);
}

void gemm_into(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
               float* c, std::size_t pitch) {
#ifdef LANES_STANDALONE
    small_gemm(gemm_order(false, m, k), false, false, m, n, k, a, k, b, n, c, pitch, false);
#else
    blas_gemm(false, false, m, n, k, a, k, b, n, c, pitch, false);
#endif
}

}  // namespace lanes
