// Lesson 09: one step of the optimizer Adam.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

// Each vector has one number per weight.
struct AdamState {
    std::vector<double> w;  // the weights
    std::vector<double> m;  // running mean of the gradients
    std::vector<double> v;  // running mean of their squares
    int steps = 0;          // so far
};

LANES_EXERCISE(AdamStep, adam_step,
               "void adam_step(AdamState& state, const std::vector<double>& gradient, double "
               "learning_rate)",
               void, AdamState&, const std::vector<double>&, double)

}  // namespace lanes::exercises
