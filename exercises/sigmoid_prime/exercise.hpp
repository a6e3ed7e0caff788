// Lesson 01: the derivative of the activation function.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(SigmoidPrime, sigmoid_prime, "lanes::Matrix sigmoid_prime(const lanes::Matrix& x)",
               Matrix, const Matrix&)

}  // namespace lanes::exercises
