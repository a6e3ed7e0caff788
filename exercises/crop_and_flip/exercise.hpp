// Lesson 09: a part of a picture, mirrored or not, as data augmentation makes it.
#pragma once

#include "lanes/data/image_file.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstddef>

namespace lanes::exercises {

LANES_EXERCISE(CropAndFlip, crop_and_flip,
               "lanes::ColorImage crop_and_flip(const lanes::ColorImage& image, std::size_t top, "
               "std::size_t left, std::size_t rows, std::size_t columns, bool flip)",
               ColorImage, const ColorImage&, std::size_t, std::size_t, std::size_t, std::size_t,
               bool)

}  // namespace lanes::exercises
