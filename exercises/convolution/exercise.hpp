// Lesson 09b: a convolution with channels and stride, as one product of matrices.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Convolution, convolution,
               "lanes::Tensor3 convolution(const lanes::Tensor3& x, const lanes::Tensor4& filters, "
               "int stride, int padding)",
               Tensor3, const Tensor3&, const Tensor4&, int, int)

}  // namespace lanes::exercises
