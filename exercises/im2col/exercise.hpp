// Lesson 09b: the patches of an image as columns of a matrix.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Im2col, im2col,
               "lanes::Matrix im2col(const lanes::Tensor3& x, int size, int stride, int padding)",
               Matrix, const Tensor3&, int, int, int)

}  // namespace lanes::exercises
