// Lesson 04: an image whose rows are moved, each by a little more than the one above.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Skew, skew, "lanes::Matrix skew(const lanes::Matrix& image, double tilt)", Matrix,
               const Matrix&, double)

}  // namespace lanes::exercises
