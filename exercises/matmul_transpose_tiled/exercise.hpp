// Lesson 03: a matrix times its own transpose; tiles in shared memory.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(MatmulTransposeTiled, matmul_transpose_tiled,
               "lanes::Matrix matmul_transpose_tiled(const lanes::Matrix& x)", Matrix,
               const Matrix&)

}  // namespace lanes::exercises
