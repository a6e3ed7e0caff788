// Bilinear resizing with antialiasing, as Pillow does it.
#pragma once

#include "lanes/data/image_file.hpp"

#include <cstddef>

namespace lanes::data {

// A part of an image in pixels; borders may lie between pixels.
struct Part {
    double top = 0;
    double left = 0;
    double rows = 0;
    double columns = 0;
};

// The part of the image as rows x columns pixels. Pixels outside the part have no influence.
// The result differs from Pillow's Image.crop and Image.resize (BILINEAR) by at most 1.
ColorImage resize(const ColorImage& image, const Part& part, std::size_t rows, std::size_t columns);

}  // namespace lanes::data
