// Correlation of an image with a small filter, zero padding, result of the same size:
//   result(y, x) = sum over i, j of filter(i, j) * image(y + i - filter_rows / 2, x + j -
//       filter_columns / 2)
// Rows and columns of the filter are odd, at most 15, and need not be equal. A convolution is a
// correlation with the filter turned by 180 degrees.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/ops/gpu_report.hpp"

namespace lanes {

// filter: (filter_rows, filter_columns), image: (rows, columns) -> (rows, columns)
Matrix correlation_plain(const Matrix& filter, const Matrix& image);

// All cores and SIMD. threads: as num_workers() takes them, 0 follows SLURM or the machine.
Matrix correlation_fast(const Matrix& filter, const Matrix& image, int threads = 0);

// The same into a matrix that exists already and is neither of the two: fresh memory for a large
// result costs more than its numbers. Another shape is changed to that of the image.
void correlation_fast(const Matrix& filter, const Matrix& image, Matrix& result, int threads = 0);

// On a device, by a rung of kernels_src/correlation.cu: 1 is one block a row, one thread a column,
// so at most 1024 columns; 2 and 3 take any size; 0 picks the one that is compiled for the size of
// the filter, which is the fastest.
Matrix correlation_gpu(const Matrix& filter, const Matrix& image,
                       const Device& device = Device::best(), GpuReport* report = nullptr,
                       int rung = 0);

}  // namespace lanes
