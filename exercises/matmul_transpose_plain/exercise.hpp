// Lesson 03: a matrix times its own transpose; loops on one core.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(MatmulTransposePlain, matmul_transpose_plain,
               "lanes::Matrix matmul_transpose_plain(const lanes::Matrix& x)", Matrix,
               const Matrix&)

}  // namespace lanes::exercises
