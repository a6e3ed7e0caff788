// Lesson 07: non-maximum suppression, which makes edges one pixel wide.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

#include <xtensor/xtensor.hpp>

namespace lanes::exercises {

using Directions = xt::xtensor<int, 2>;

LANES_EXERCISE(
    Thin, thin,
    "lanes::Matrix thin(const lanes::Matrix& magnitude, const xt::xtensor<int, 2>& sectors)",
    Matrix, const Matrix&, const Directions&)

}  // namespace lanes::exercises
