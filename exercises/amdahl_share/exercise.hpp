// Lesson 09b: which share of a training a GPU has made faster.
#pragma once

#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(AmdahlShare, amdahl_share,
               "double amdahl_share(double before, double after, double k)", double, double, double,
               double)

}  // namespace lanes::exercises
