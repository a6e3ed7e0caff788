// Lesson 03: operations per byte of a product that is computed in tiles.
#pragma once

#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Intensity, intensity, "double intensity(int rows, int columns, int tile)", double,
               int, int, int)

}  // namespace lanes::exercises
