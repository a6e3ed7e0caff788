// Correlation of an image with a small filter, with zero padding; the result has the size of the
// image:
//     result(y, x) = sum over i, j of filter(i, j) * image(y + i - R / 2, x + j - C / 2)
// for a filter of R rows and C columns. R and C are odd, at most 15, and may differ. A convolution
// is a correlation with the filter rotated by 180 degrees.
//
//   const lanes::Matrix image = xt::ones<float>({20, 30});
//   const lanes::Matrix blurred = lanes::correlation_fast(lanes::blur_5x5(), image);
//   const auto run = lanes::run_correlation_gpu(lanes::blur_5x5(), image);
//   lanes::require_close(run.result, blurred);
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/base/workers.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/ops/gpu_report.hpp"

#include <optional>

namespace lanes {

// filter: (filter_rows, filter_columns), image: (rows, columns) -> (rows, columns)
Matrix correlation_plain(const Matrix& filter, const Matrix& image);

// All cores and SIMD.
Matrix correlation_fast(const Matrix& filter, const Matrix& image, int threads = num_workers());

// The same into an existing matrix, which must be neither of the two arguments: allocating memory
// for a large result takes longer than computing it. The result is resized if necessary.
void correlation_fast(const Matrix& filter, const Matrix& image, Matrix& result,
                      int threads = num_workers());

// On a device, with the fastest CUDA kernel of kernels_src/correlation.cu: one that is compiled for
// the size of the filter.
Matrix correlation_gpu(const Matrix& filter, const Matrix& image,
                       const Device& device = Device::best());

// The same with a report, and with a given version of the CUDA kernel (rung N is correlation_vN).
// Rung 1 has one block per row and one thread per column, so at most 1024 columns; rungs 2 and 3
// take any size.
GpuResult<Matrix> run_correlation_gpu(const Matrix& filter, const Matrix& image,
                                      const Device& device = Device::best(),
                                      std::optional<int> rung = std::nullopt);

}  // namespace lanes
