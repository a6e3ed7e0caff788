// Lesson 01: half the sum of the squared errors.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(LossOfOutputs, loss, "double loss(const lanes::Matrix& a, const lanes::Matrix& y)",
               double, const Matrix&, const Matrix&)

}  // namespace lanes::exercises
