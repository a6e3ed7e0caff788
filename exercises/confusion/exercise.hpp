// Lesson 01a: which digits are taken for which.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Confusion, confusion,
               "lanes::Matrix confusion(const lanes::Matrix& outputs, const lanes::Matrix& labels)",
               Matrix, const Matrix&, const Matrix&)

}  // namespace lanes::exercises
