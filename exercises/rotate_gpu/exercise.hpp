// Lesson 04a: a batch of images is rotated by one CUDA kernel, a block per image.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(
    RotateGpu, rotate_gpu,
    "lanes::Matrix rotate_gpu(const lanes::Matrix& x, const std::vector<float>& degrees)", Matrix,
    const Matrix&, const std::vector<float>&)

}  // namespace lanes::exercises
