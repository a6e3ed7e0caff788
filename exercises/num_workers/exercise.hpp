// Lesson 04b: how many workers to start.
#pragma once

#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(NumWorkers, num_workers, "int num_workers()", int, void)

}  // namespace lanes::exercises
