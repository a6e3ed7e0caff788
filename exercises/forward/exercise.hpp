// Lesson 01: the forward pass through all layers.
#pragma once

#include "lanes/mlp/pass.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(ForwardPass, forward,
               "lanes::Pass forward(const lanes::Matrix& x, const lanes::Parameters& network)",
               Pass, const Matrix&, const Parameters&)

}  // namespace lanes::exercises
