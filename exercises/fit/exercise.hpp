// Lesson 01a: the training loop, with the student's own passes.
#pragma once

#include "lanes/base/rng.hpp"
#include "lanes/data/dataset.hpp"
#include "lanes/mlp/pass.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Fit, fit,
               "void fit(lanes::Parameters& network, const lanes::Dataset& training, std::size_t "
               "epochs, float rate, lanes::Rng& rng)",
               void, Parameters&, const Dataset&, std::size_t, float, Rng&)

}  // namespace lanes::exercises
