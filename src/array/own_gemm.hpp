// A matrix product for small matrices, and for all matrices if there is no BLAS: a program on a GPU
// node, compiled by hand with LANES_STANDALONE.
#pragma once

#include <cstddef>

namespace lanes {

// a: (m, k), b: (k, n), c: (m, n), all row-major; c is overwritten. The result is the same for
// every number of threads.
void own_gemm(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b, float* c,
              int threads);
void own_gemm(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b,
              double* c, int threads);

}  // namespace lanes
