// The larger of two numbers, element by element: result(i, j) = max(a(i, j), b(i, j)). One
// comparison for 12 bytes that are moved: the time is that of memory. Where either is NaN, the
// result is b's element in all versions. Shapes must be equal: nothing is broadcast.
//
//   lanes::GpuReport report;
//   // max_v1: <<<1000, 1000>>> for 1000x1000
//   const auto larger = lanes::max_gpu(a, b, lanes::Device::best(), &report, 1);
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/ops/gpu_report.hpp"

namespace lanes {

// a, b: (rows, columns) -> (rows, columns)
xt::xtensor<int, 2> max_plain(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b);
Matrix max_plain(const Matrix& a, const Matrix& b);

// All cores and SIMD. threads: as num_workers() takes them, 0 follows SLURM or the machine.
xt::xtensor<int, 2> max_fast(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b,
                             int threads = 0);
Matrix max_fast(const Matrix& a, const Matrix& b, int threads = 0);

// The same into an array that exists already, and may be a or b: fresh memory for a large result
// costs more than its numbers. Another shape is changed to that of a.
void max_fast(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b,
              xt::xtensor<int, 2>& result, int threads = 0);
void max_fast(const Matrix& a, const Matrix& b, Matrix& result, int threads = 0);

// On a device, by a rung of kernels_src/max.cu: 1 is one thread an element, a block for each row
// where a row has at most 1024 elements; 2 is fast; 0 picks.
xt::xtensor<int, 2> max_gpu(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b,
                            const Device& device = Device::best(), GpuReport* report = nullptr,
                            int rung = 0);

}  // namespace lanes
