// Lesson 04: an image turned about its middle.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Rotate, rotate, "lanes::Matrix rotate(const lanes::Matrix& image, double degrees)",
               Matrix, const Matrix&, double)

}  // namespace lanes::exercises
