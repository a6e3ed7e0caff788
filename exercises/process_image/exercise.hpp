// Lesson 04: all four operators, with random arguments.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/mlp/augment.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(ProcessImage, process_image,
               "lanes::Matrix process_image(const lanes::Matrix& image, const "
               "lanes::AugmentationBounds& bounds, lanes::Rng& rng)",
               Matrix, const Matrix&, const AugmentationBounds&, Rng&)

}  // namespace lanes::exercises
