// Lesson 10: how long an all-reduce takes in which the number of ranks in a sum doubles in each
// step.
#pragma once

#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(TreeSeconds, tree_seconds,
               "double tree_seconds(int ranks, double bytes, double latency, double bandwidth)",
               double, int, double, double, double)

}  // namespace lanes::exercises
