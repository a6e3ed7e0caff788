// Lesson 08b: how much memory one training step reads and writes.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <cstddef>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(StepBytes, step_bytes,
               "double step_bytes(const std::vector<std::size_t>& sizes, std::size_t batch)",
               double, const std::vector<std::size_t>&, std::size_t)

}  // namespace lanes::exercises
