// Everything of the module `ops`: the functions that the course makes fast. Each has three
// versions: NAME_plain (readable loops; the other versions are tested against it), NAME_fast (all
// cores and SIMD) and NAME_gpu (a CUDA kernel of kernels_src, on a GPU or on the simulator). Each
// file of kernels_src is a ladder: its rungs NAME_v1, NAME_v2, … are versions of one CUDA kernel,
// from the simplest to the fastest.
//
//   const lanes::Matrix x{{1, 2, 3}, {4, 5, 6}};
//   const lanes::Matrix product = lanes::matmul_transpose_plain(x);
//   lanes::require_close(lanes::matmul_transpose_fast(x), product);
//   lanes::require_close(lanes::matmul_transpose_gpu(x), product);
//   const auto run = lanes::run_matmul_transpose_gpu(x);  // with times and counters
//   std::cout << run.report;
#pragma once

#include "lanes/array/compare.hpp"
#include "lanes/ops/correlation.hpp"
#include "lanes/ops/edges.hpp"
#include "lanes/ops/gpu_report.hpp"
#include "lanes/ops/matmul_transpose.hpp"
#include "lanes/ops/max.hpp"
#include "lanes/ops/separable.hpp"
#include "lanes/ops/sobel.hpp"
