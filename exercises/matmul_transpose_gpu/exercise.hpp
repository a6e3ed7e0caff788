// Lesson 03: a matrix times its own transpose; a CUDA kernel.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(MatmulTransposeGpu, matmul_transpose_gpu,
               "lanes::Matrix matmul_transpose_gpu(const lanes::Matrix& x)", Matrix, const Matrix&)

}  // namespace lanes::exercises
