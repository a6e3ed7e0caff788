// Lesson 07: both gradients and their magnitude in one CUDA kernel.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(SobelGpu, sobel_gpu, "lanes::Matrix sobel_gpu(const lanes::Matrix& image)", Matrix,
               const Matrix&)

}  // namespace lanes::exercises
