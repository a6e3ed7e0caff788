// A matrix times its own transpose: result(i, j) is the dot product of rows i and j of x. The
// result is symmetric, so half of the work can be saved.
//
//   const lanes::Matrix x{{1, 2, 3}, {4, 5, 6}};
//   const lanes::Matrix product = lanes::matmul_transpose_fast(x);  // {{14, 32}, {32, 77}}
//   lanes::require_close(lanes::matmul_transpose_gpu(x), product);
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/base/workers.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/ops/gpu_report.hpp"

#include <optional>

namespace lanes {

// x: (rows, columns) -> (rows, rows)
Matrix matmul_transpose_plain(const Matrix& x);

// All cores, through lanes::syrk: tiles of the upper half, each multiplied by BLAS.
Matrix matmul_transpose_fast(const Matrix& x, int threads = num_workers());

// On a device, with the CUDA kernel of kernels_src/matmul_transpose.cu that is fastest for this
// size.
Matrix matmul_transpose_gpu(const Matrix& x, const Device& device = Device::best());

// The same with a report, and with a given version of the CUDA kernel (rung N is
// matmul_transpose_vN, 1 to 4). Rung 1 is a single block, <<<1, 1024>>>; each later rung is faster.
GpuResult<Matrix> run_matmul_transpose_gpu(const Matrix& x, const Device& device = Device::best(),
                                           std::optional<int> rung = std::nullopt);

}  // namespace lanes
