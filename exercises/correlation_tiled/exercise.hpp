// Lesson 06: a CUDA kernel that loads its part of the image into shared memory once.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(
    CorrelationTiled, correlation_tiled,
    "lanes::Matrix correlation_tiled(const lanes::Matrix& filter, const lanes::Matrix& image)",
    Matrix, const Matrix&, const Matrix&)

}  // namespace lanes::exercises
