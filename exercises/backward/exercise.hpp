// Lesson 01: backpropagation through all layers, for all rows of a batch.
#pragma once

#include "lanes/mlp/pass.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(BackwardPass, backward,
               "lanes::Parameters backward(const lanes::Pass& pass, const lanes::Matrix& y, "
               "const lanes::Weights<float>& weights)",
               Parameters, const Pass&, const Matrix&, const Weights<float>&)

}  // namespace lanes::exercises
