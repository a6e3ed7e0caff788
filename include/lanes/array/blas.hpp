// Linear algebra through OpenBLAS; this is the only module that picks a BLAS. Cells may use
// xt::linalg as well, it runs on the same library. A standalone build (LANES_STANDALONE) has its
// own matrix product instead.
//
//   const lanes::Matrix a{{1, 2}, {3, 4}};
//   const lanes::Matrix b{{0, 1}, {1, 0}};
//   const lanes::Matrix product = lanes::matmul(a, b);  // {{2, 1}, {4, 3}}
//   const lanes::Matrix squares = lanes::syrk(a);       // a times its transpose
#pragma once

#include "lanes/array/types.hpp"

namespace lanes {

// a: (m, k), b: (k, n) -> (m, n)
Matrix matmul(const Matrix& a, const Matrix& b);
xt::xtensor<double, 2> matmul(const xt::xtensor<double, 2>& a, const xt::xtensor<double, 2>& b);

// x: (m, k) -> (m, m), x times its own transpose: half the work of matmul, and exactly symmetric.
// threads: as num_workers() takes them, 0 follows SLURM or the machine; each computes tiles of the
// product, and BLAS itself is set to one thread meanwhile.
Matrix syrk(const Matrix& x, int threads = 0);

// How many threads BLAS uses; at least 1. In a process forked from one that has used BLAS the
// threads are started again by this call.
void set_blas_threads(int threads);
int blas_threads();

}  // namespace lanes
