// The larger of two numbers, element by element: result(i, j) = max(a(i, j), b(i, j)). Each
// comparison moves 12 bytes, so memory limits the speed. If either number is NaN, the result is b's
// element, in all versions. The shapes must be equal: nothing is broadcast.
//
//   const xt::xtensor<int, 2> a{{1, 5}, {7, 2}};
//   const xt::xtensor<int, 2> b{{4, 3}, {6, 8}};
//   const auto larger = lanes::max_gpu(a, b);
//   const auto first_rung = lanes::run_max_gpu(a, b, lanes::Device::best(), 1);  // max_v1
//   std::cout << larger(0, 0) << '\n' << first_rung.report;
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/base/workers.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/ops/gpu_report.hpp"

#include <optional>

namespace lanes {

// a, b: (rows, columns) -> (rows, columns)
xt::xtensor<int, 2> max_plain(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b);
Matrix max_plain(const Matrix& a, const Matrix& b);

// All cores and SIMD.
xt::xtensor<int, 2> max_fast(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b,
                             int threads = num_workers());
Matrix max_fast(const Matrix& a, const Matrix& b, int threads = num_workers());

// The same into an existing array, which may be a or b: allocating memory for a large result takes
// longer than computing it. The result is resized to the shape of a if necessary.
void max_fast(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b,
              xt::xtensor<int, 2>& result, int threads = num_workers());
void max_fast(const Matrix& a, const Matrix& b, Matrix& result, int threads = num_workers());

// On a device, with the fastest CUDA kernel of kernels_src/max.cu.
xt::xtensor<int, 2> max_gpu(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b,
                            const Device& device = Device::best());

// The same with a report, and with a given version of the CUDA kernel (rung N is max_vN). Rung 1:
// one thread per element, and one block per row if a row has at most 1024 elements. Rung 2 is the
// fastest.
GpuResult<xt::xtensor<int, 2>> run_max_gpu(const xt::xtensor<int, 2>& a,
                                           const xt::xtensor<int, 2>& b,
                                           const Device& device = Device::best(),
                                           std::optional<int> rung = std::nullopt);

}  // namespace lanes
