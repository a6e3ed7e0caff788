// Lesson 08b: the time of a training step, predicted.
#pragma once

#include "lanes/lesson/step_times.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstddef>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(StepSeconds, step_seconds,
               "double step_seconds(const lanes::StepMachine& machine, const "
               "std::vector<std::size_t>& sizes, std::size_t batch)",
               double, const StepMachine&, const std::vector<std::size_t>&, std::size_t)

}  // namespace lanes::exercises
