#include "gemm.hpp"

#include "one_blas_thread.hpp"
#include "own_gemm.hpp"

#include "base/openmp.hpp"
#include "lanes/array/blas.hpp"
#include "lanes/base/error.hpp"

#ifndef LANES_STANDALONE
#include <cblas.h>
#endif

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <limits>
#include <vector>

namespace lanes {

#ifdef LANES_STANDALONE

namespace {

// (rows, columns) -> (columns, rows)
std::vector<float> transposed(const float* x, std::size_t rows, std::size_t columns) {
    std::vector<float> result(rows * columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) result[j * rows + i] = x[i * columns + j];
    return result;
}

}  // namespace

void gemm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k,
          const float* a, const float* b, float* c, bool accumulate) {
    const std::vector<float> left = transpose_a ? transposed(a, k, m) : std::vector<float>();
    const std::vector<float> right = transpose_b ? transposed(b, n, k) : std::vector<float>();
    std::vector<float> product(accumulate ? m * n : 0);
    own_gemm(m, n, k, transpose_a ? left.data() : a, transpose_b ? right.data() : b,
             accumulate ? product.data() : c, blas_threads());
    for (std::size_t i = 0; i < product.size(); ++i) c[i] += product[i];
}

void gemm_into(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
               float* c, std::size_t pitch) {
    std::vector<float> product(m * n);
    own_gemm(m, n, k, a, b, product.data(), 1);
    for (std::size_t i = 0; i < m; ++i) std::copy_n(product.data() + i * n, n, c + i * pitch);
}

#else

namespace {

struct Operands {
    bool transpose_a, transpose_b;
    std::size_t m, n, k;
    const float* a;
    const float* b;
    float* c;
    bool accumulate;
};

// The rows [top, bottom) and columns [left, right) of c.
void multiply_part(const Operands& o, std::size_t top, std::size_t bottom, std::size_t left,
                   std::size_t right) {
    if (top == bottom || left == right) return;
    const auto extent = [](std::size_t value) { return static_cast<blasint>(value); };
    cblas_sgemm(CblasRowMajor, o.transpose_a ? CblasTrans : CblasNoTrans,
                o.transpose_b ? CblasTrans : CblasNoTrans, extent(bottom - top),
                extent(right - left), extent(o.k), 1, o.a + (o.transpose_a ? top : top * o.k),
                extent(o.transpose_a ? o.m : o.k), o.b + (o.transpose_b ? left * o.k : left),
                extent(o.transpose_b ? o.k : o.n), o.accumulate ? 1.0f : 0.0f,
                o.c + top * o.n + left, extent(o.n));
}

// Into how many parts the rows are cut if `threads` threads share the work, and the columns into
// the rest: parts that are as square as possible read the least.
std::size_t row_parts(std::size_t m, std::size_t n, std::size_t threads) {
    std::size_t best = 1;
    double least = 0;
    for (std::size_t rows = 1; rows <= threads; ++rows) {
        if (threads % rows != 0) continue;
        const double edge = static_cast<double>(m) / static_cast<double>(rows) +
                            static_cast<double>(n * rows) / static_cast<double>(threads);
        if (rows == 1 || edge < least) {
            least = edge;
            best = rows;
        }
    }
    return best;
}

// The beginning of part `number` of `parts` of an axis, at a multiple of 16.
std::size_t part_begin(std::size_t size, std::size_t number, std::size_t parts) {
    return number == parts ? size : std::min(size, size * number / parts / 16 * 16);
}

}  // namespace

void gemm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k,
          const float* a, const float* b, float* c, bool accumulate) {
    constexpr std::size_t largest = std::numeric_limits<blasint>::max();
    LANES_REQUIRE(m <= largest && n <= largest && k <= largest, "matmul: ", m, " x ", k, " times ",
                  k, " x ", n, ". BLAS takes up to ", largest, " rows and columns.");
    if (m == 0 || n == 0) return;
    if (k == 0) {
        if (!accumulate) std::fill(c, c + m * n, 0.0f);
        return;
    }
    const Operands operands{transpose_a, transpose_b, m, n, k, a, b, c, accumulate};
    const OneBlasThread one;
#ifdef _OPENMP
    const std::size_t threads = openmp_threads(static_cast<std::size_t>(one.threads_before()));
    if (threads > 1 && !omp_in_parallel()) {
#pragma omp parallel num_threads(static_cast<int>(threads))
        {
            const auto number = static_cast<std::size_t>(omp_get_thread_num());
            const auto team = static_cast<std::size_t>(omp_get_num_threads());
            const std::size_t rows = row_parts(m, n, team);
            const std::size_t columns = team / rows;
            const std::size_t row = number / columns;
            const std::size_t column = number % columns;
            multiply_part(operands, part_begin(m, row, rows), part_begin(m, row + 1, rows),
                          part_begin(n, column, columns), part_begin(n, column + 1, columns));
        }
        return;
    }
#endif
    multiply_part(operands, 0, m, 0, n);
}

void gemm_into(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
               float* c, std::size_t pitch) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<blasint>(m),
                static_cast<blasint>(n), static_cast<blasint>(k), 1, a, static_cast<blasint>(k), b,
                static_cast<blasint>(n), 0, c, static_cast<blasint>(pitch));
}

#endif

}  // namespace lanes
