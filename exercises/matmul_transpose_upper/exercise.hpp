// Lesson 03: a matrix times its own transpose; only the tiles of the upper half, without bank
// conflicts.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(MatmulTransposeUpper, matmul_transpose_upper,
               "lanes::Matrix matmul_transpose_upper(const lanes::Matrix& x)", Matrix,
               const Matrix&)

}  // namespace lanes::exercises
