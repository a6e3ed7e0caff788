// Lesson 03: the roofline model.
#pragma once

#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Attainable, attainable,
               "double attainable(double intensity, double peak, double bandwidth)", double, double,
               double, double)

}  // namespace lanes::exercises
