// Lesson 06: a filter over an image, zero padding; a CUDA kernel.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(
    CorrelationGpu, correlation_gpu,
    "lanes::Matrix correlation_gpu(const lanes::Matrix& filter, const lanes::Matrix& image)",
    Matrix, const Matrix&, const Matrix&)

}  // namespace lanes::exercises
