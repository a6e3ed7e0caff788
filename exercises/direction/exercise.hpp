// Lesson 07: the direction of the gradient, one of four.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

#include <xtensor/xtensor.hpp>

namespace lanes::exercises {

using Directions = xt::xtensor<int, 2>;

LANES_EXERCISE(Direction, direction,
               "xt::xtensor<int, 2> direction(const lanes::Matrix& gx, const lanes::Matrix& gy)",
               Directions, const Matrix&, const Matrix&)

}  // namespace lanes::exercises
