// Lesson 09: a learning rate that falls in steps.
#pragma once

#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(StepLr, step_lr,
               "double step_lr(double initial, int epoch, int step_size, double gamma)", double,
               double, int, int, double)

}  // namespace lanes::exercises
