// Lesson 10: how long a ring all-reduce takes.
#pragma once

#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(RingSeconds, ring_seconds,
               "double ring_seconds(int ranks, double bytes, double latency, double bandwidth)",
               double, int, double, double, double)

}  // namespace lanes::exercises
