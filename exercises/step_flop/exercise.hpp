// Lesson 08: how much arithmetic one training step needs.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <cstddef>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(StepFlop, step_flop,
               "double step_flop(const std::vector<std::size_t>& sizes, std::size_t batch)", double,
               const std::vector<std::size_t>&, std::size_t)

}  // namespace lanes::exercises
