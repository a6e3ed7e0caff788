// Lesson 01: zeros of the shapes of the weights.
#pragma once

#include "lanes/mlp/functions.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(ZerosWeights, zeros_weights,
               "lanes::Weights<float> zeros_weights(const lanes::Sizes& sizes)", Weights<float>,
               const Sizes&)

}  // namespace lanes::exercises
