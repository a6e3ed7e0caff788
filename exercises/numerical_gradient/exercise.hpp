// Lesson 01: the derivative with respect to one weight by a central difference.
#pragma once

#include "lanes/mlp/layer_arrays.hpp"
#include "lanes/notebook/exercise.hpp"

#include <functional>

namespace lanes::exercises {

LANES_EXERCISE(NumericalGradient, numerical_gradient,
               "double numerical_gradient(const LossOfWeights& loss_of, lanes::Weights<float> "
               "weights, std::size_t l, std::size_t i, std::size_t j, float h), with using "
               "LossOfWeights = std::function<double(const lanes::Weights<float>&)>",
               double, const std::function<double(const Weights<float>&)>&, Weights<float>,
               std::size_t, std::size_t, std::size_t, float)

}  // namespace lanes::exercises
