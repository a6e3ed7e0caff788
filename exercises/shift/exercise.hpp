// Lesson 04: an image moved by whole pixels.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Shift, shift, "lanes::Matrix shift(const lanes::Matrix& image, int dx, int dy)",
               Matrix, const Matrix&, int, int)

}  // namespace lanes::exercises
