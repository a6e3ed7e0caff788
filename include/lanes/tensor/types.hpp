// The array types of the course: xtensor containers, float, row-major.
#pragma once

#include "lanes/base/error.hpp"

#include <xtensor/xtensor.hpp>

#include <cstddef>
#include <string>

namespace lanes {

using Vector = xt::xtensor<float, 1>;   // (n)
using Matrix = xt::xtensor<float, 2>;   // (rows, columns)
using Tensor3 = xt::xtensor<float, 3>;  // (images, rows, columns)
using Tensor4 = xt::xtensor<float, 4>;  // (images, channels, rows, columns)

// "(3, 4)" for messages.
template <class Array>
std::string shape_text(const Array& array) {
    return detail::Part(array.shape()).text();
}

}  // namespace lanes
