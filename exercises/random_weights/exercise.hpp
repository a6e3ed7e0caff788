// Lesson 01: the weights that training starts from.
#pragma once

#include "lanes/base/rng.hpp"
#include "lanes/mlp/functions.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(RandomWeights, random_weights,
               "lanes::Weights<float> random_weights(const lanes::Sizes& sizes, lanes::Rng& rng)",
               Weights<float>, const Sizes&, Rng&)

}  // namespace lanes::exercises
