// Lesson 01: one step of gradient descent.
#pragma once

#include "lanes/mlp/pass.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Descend, descend,
               "void descend(lanes::Parameters& network, const lanes::Parameters& gradients, "
               "float rate)",
               void, Parameters&, const Parameters&, float)

}  // namespace lanes::exercises
