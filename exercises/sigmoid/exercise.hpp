// Lesson 01: the activation function of the network.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Sigmoid, sigmoid, "lanes::Matrix sigmoid(const lanes::Matrix& x)", Matrix,
               const Matrix&)

}  // namespace lanes::exercises
