// Lesson 04: uniform noise on each pixel.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(AddNoise, add_noise,
               "lanes::Matrix add_noise(const lanes::Matrix& image, double noise, lanes::Rng& rng)",
               Matrix, const Matrix&, double, Rng&)

}  // namespace lanes::exercises
