// Lesson 06: a filter over an image, zero padding; loops on one core.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(
    CorrelationPlain, correlation_plain,
    "lanes::Matrix correlation_plain(const lanes::Matrix& filter, const lanes::Matrix& image)",
    Matrix, const Matrix&, const Matrix&)

}  // namespace lanes::exercises
