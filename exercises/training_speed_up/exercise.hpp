// Lesson 10: what many GPUs gain if each has its own batch and the gradients go around a ring.
#pragma once

#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(TrainingSpeedUp, training_speed_up,
               "double training_speed_up(int gpus, double computing, double bytes, double latency, "
               "double bandwidth)",
               double, int, double, double, double, double)

}  // namespace lanes::exercises
