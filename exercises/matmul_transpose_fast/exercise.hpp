// Lesson 03: a matrix times its own transpose; loops on all cores.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(MatmulTransposeFast, matmul_transpose_fast,
               "lanes::Matrix matmul_transpose_fast(const lanes::Matrix& x)", Matrix, const Matrix&)

}  // namespace lanes::exercises
