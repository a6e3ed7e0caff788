// Lesson 09: one step of the optimizer Adam.
#pragma once

#include "lanes/lesson/transfer_types.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(
    AdamStep, adam_step,
    "void adam_step(lanes::plates::AdamState& state, const std::vector<double>& gradient, double "
    "learning_rate)",
    void, plates::AdamState&, const std::vector<double>&, double)

}  // namespace lanes::exercises
