// The array types of the course: xtensor containers of float, row-major, with the number of axes in
// the type.
//
//   const lanes::Matrix m{{1, 2, 3}, {4, 5, 6}};         // 2 rows, 3 columns
//   const lanes::Tensor3 images = xt::zeros<float>({10, 28, 28});
//   const float last = m(1, 2) + images(9, 27, 27);      // 6
#pragma once

#include <xtensor/xtensor.hpp>

namespace lanes {

using Vector = xt::xtensor<float, 1>;   // (n)
using Matrix = xt::xtensor<float, 2>;   // (rows, columns)
using Tensor3 = xt::xtensor<float, 3>;  // (images, rows, columns)
using Tensor4 = xt::xtensor<float, 4>;  // (images, channels, rows, columns)

}  // namespace lanes
