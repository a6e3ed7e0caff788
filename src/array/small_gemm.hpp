// Matrix products on the calling thread for matrices that BLAS is slow for: BLAS first copies both
// into an order of its own, which takes as long as the product itself if one side is short, as in a
// layer of a network with a batch of 16 to 128 samples. A standalone build (LANES_STANDALONE),
// which has no BLAS, computes all products with it.
#pragma once

#include <cstddef>

namespace lanes {

// In which order the matrices are read. It is chosen for a whole product, so that each sum is the
// same however the product is cut into parts.
enum class GemmOrder {
    dots,     // few rows of a, b transposed: both are read along their rows
    streams,  // few rows of a, or short sums: whole rows of b and c are read and written
    packed,   // columns of b are copied, and used for many rows of a
};
GemmOrder gemm_order(bool transpose_b, std::size_t m, std::size_t k);

// c = a · b, or c += a · b if `accumulate`. a: (m, k), or (k, m) if transposed; b: (k, n), or (n,
// k); c: (m, n). Rows of a, b and c are lda, ldb and ldc numbers apart. Not both can be transposed.
void small_gemm(GemmOrder order, bool transpose_a, bool transpose_b, std::size_t m, std::size_t n,
                std::size_t k, const float* a, std::size_t lda, const float* b, std::size_t ldb,
                float* c, std::size_t ldc, bool accumulate);
void small_gemm(GemmOrder order, bool transpose_a, bool transpose_b, std::size_t m, std::size_t n,
                std::size_t k, const double* a, std::size_t lda, const double* b, std::size_t ldb,
                double* c, std::size_t ldc, bool accumulate);

// Parts of a product that begin at a multiple of so many columns are computed fastest.
constexpr std::size_t small_gemm_columns = 64;

}  // namespace lanes
