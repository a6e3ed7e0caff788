#include "gemm.hpp"

#include "own_gemm.hpp"

#include "lanes/array/blas.hpp"
#include "lanes/base/error.hpp"

#ifndef LANES_STANDALONE
#include <cblas.h>
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

#else

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
    const auto rows = static_cast<blasint>(m);
    const auto columns = static_cast<blasint>(n);
    const auto depth = static_cast<blasint>(k);
    cblas_sgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
                transpose_b ? CblasTrans : CblasNoTrans, rows, columns, depth, 1, a,
                transpose_a ? rows : depth, b, transpose_b ? depth : columns,
                accumulate ? 1.0f : 0.0f, c, columns);
}

#endif

}  // namespace lanes
