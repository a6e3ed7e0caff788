// Lesson 06: a separable filter in two passes.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(
    CorrelationSplit, correlation_split,
    "lanes::Matrix correlation_split(const lanes::Matrix& filter, const lanes::Matrix& image)",
    Matrix, const Matrix&, const Matrix&)

}  // namespace lanes::exercises
