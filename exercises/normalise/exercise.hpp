// Lesson 09: what a network gets instead of pixels.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/image_file.hpp"
#include "lanes/notebook/exercise.hpp"

#include <array>

namespace lanes::exercises {

LANES_EXERCISE(NormaliseImage, normalise,
               "lanes::Tensor3 normalise(const lanes::ColorImage& image, const std::array<float, "
               "3>& mean, const std::array<float, 3>& deviation)",
               Tensor3, const ColorImage&, const std::array<float, 3>&, const std::array<float, 3>&)

}  // namespace lanes::exercises
