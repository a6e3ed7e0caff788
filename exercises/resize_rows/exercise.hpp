// Lesson 09: a picture with another number of rows, bilinear with antialiasing.
#pragma once

#include "lanes/data/image_file.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstddef>

namespace lanes::exercises {

LANES_EXERCISE(ResizeRows, resize_rows,
               "lanes::ColorImage resize_rows(const lanes::ColorImage& image, std::size_t rows)",
               ColorImage, const ColorImage&, std::size_t)

}  // namespace lanes::exercises
