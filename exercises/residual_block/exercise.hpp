// Lesson 09b: two convolutions whose result is added to the input.
#pragma once

#include "lanes/lesson/residual_parts.hpp"
#include "lanes/notebook/exercise.hpp"
#include "lanes/tensor/tensor.hpp"

namespace lanes::exercises {

LANES_EXERCISE(
    ResidualBlock, residual_block,
    "lanes::Tensor residual_block(lanes::resnet::ResidualParts& parts, const lanes::Tensor& x)",
    Tensor, resnet::ResidualParts&, const Tensor&)

}  // namespace lanes::exercises
