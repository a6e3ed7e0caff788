// Lesson 02: the larger of two matrices, element by element; a CUDA kernel.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <xtensor/xtensor.hpp>

namespace lanes::exercises {

using Integers = xt::xtensor<int, 2>;

LANES_EXERCISE(
    MaxGpu, max_gpu,
    "xt::xtensor<int, 2> max_gpu(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b)",
    Integers, const Integers&, const Integers&)

}  // namespace lanes::exercises
