// Lesson 06: a filter over an image, zero padding; loops on all cores.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(
    CorrelationFast, correlation_fast,
    "lanes::Matrix correlation_fast(const lanes::Matrix& filter, const lanes::Matrix& image)",
    Matrix, const Matrix&, const Matrix&)

}  // namespace lanes::exercises
