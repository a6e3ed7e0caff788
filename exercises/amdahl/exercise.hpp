// Lesson 10: speed-up of a fixed amount of work.
#pragma once

#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Amdahl, amdahl, "double amdahl(double serial, int ranks)", double, double, int)

}  // namespace lanes::exercises
