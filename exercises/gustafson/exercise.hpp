// Lesson 10: speed-up of work that grows with the ranks.
#pragma once

#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Gustafson, gustafson, "double gustafson(double serial, int ranks)", double, double,
               int)

}  // namespace lanes::exercises
