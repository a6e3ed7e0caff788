// Lesson 01a: a matrix product of the student's own, which the network then uses.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(OwnMatmul, matmul,
               "lanes::Matrix matmul(const lanes::Matrix& a, const lanes::Matrix& b)", Matrix,
               const Matrix&, const Matrix&)

}  // namespace lanes::exercises
