// A matrix times its own transpose: result(i, j) is the product of rows i and j of x. The result is
// symmetric, so half of the work can be saved.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/ops/gpu_report.hpp"

namespace lanes {

// x: (rows, columns) -> (rows, rows)
Matrix matmul_transpose_plain(const Matrix& x);

// All cores, through BLAS. threads: as num_workers() takes them, 0 follows SLURM or the machine.
Matrix matmul_transpose_fast(const Matrix& x, int threads = 0);

// On a device, by a rung of kernels_src/matmul_transpose.cu: 1 is a single block, <<<1, 1024>>>; 2,
// 3 and 4 are faster; 0 picks by the size.
Matrix matmul_transpose_gpu(const Matrix& x, const Device& device = Device::best(),
                            GpuReport* report = nullptr, int rung = 0);

}  // namespace lanes
