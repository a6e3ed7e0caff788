// Lesson 07: two thresholds, and edges that are followed from strong pixels.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Hysteresis, hysteresis,
               "lanes::Matrix hysteresis(const lanes::Matrix& thinned, float low, float high)",
               Matrix, const Matrix&, float, float)

}  // namespace lanes::exercises
