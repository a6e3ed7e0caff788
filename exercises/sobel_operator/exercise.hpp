// Lesson 07: the edges of an image, from two correlations.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(
    SobelOperator, sobel_operator,
    "lanes::Matrix sobel_operator(const lanes::Matrix& filter, const lanes::Matrix& image)", Matrix,
    const Matrix&, const Matrix&)

}  // namespace lanes::exercises
