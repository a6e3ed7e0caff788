// Lesson 01: zeros of the shapes of the biases.
#pragma once

#include "lanes/mlp/functions.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(ZerosBiases, zeros_biases,
               "lanes::Biases<float> zeros_biases(const lanes::Sizes& sizes)", Biases<float>,
               const Sizes&)

}  // namespace lanes::exercises
