// Lesson 09b: batch normalisation in both modes.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/lesson/transfer_types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(
    BatchNormalise, batch_norm,
    "lanes::Tensor4 batch_norm(const lanes::Tensor4& x, lanes::resnet::BatchNormState& state, "
    "bool training)",
    Tensor4, const Tensor4&, resnet::BatchNormState&, bool)

}  // namespace lanes::exercises
