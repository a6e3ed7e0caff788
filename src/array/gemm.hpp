// The general product of matrices in memory, for modules that have no xtensor containers.
#pragma once

#include <cstddef>
#include <functional>

namespace lanes {

// A product gets a thread more for so many multiplications: about 20 microseconds.
constexpr double gemm_worth_a_thread = 2e6;

// Called with the rows [top, bottom) and columns [left, right) of c that are complete, by the
// thread that has just computed them.
using AfterPart =
    std::function<void(std::size_t top, std::size_t bottom, std::size_t left, std::size_t right)>;

// c = a · b, or c += a · b if `accumulate`. a: (m, k), or (k, m) if transposed; b: (k, n), or (n,
// k); c: (m, n); all row-major without gaps. Runs on as many threads as the work is worth, but at
// most as BLAS is set to. Throws Error for more rows or columns than BLAS can count.
void gemm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k,
          const float* a, const float* b, float* c, bool accumulate, const AfterPart& after = {});
void gemm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k,
          const double* a, const double* b, double* c, bool accumulate,
          const AfterPart& after = {});

// c = a · b on this thread alone, if BLAS is set to one. c is a part of a larger matrix whose rows
// have `pitch` numbers.
void gemm_into(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
               float* c, std::size_t pitch);

}  // namespace lanes
