// Reads an image at positions between its pixels; outside the image it is black. Rotations and
// shifts by fractions of a pixel are both computed in this way.
#pragma once

#include "augment_loops.hpp"

namespace lanes::augment {

// Pixel (y, x) of the result is read at row = row_0 + a * y + b * x and column = column_0 + c * y +
// d * x.
struct Map {
    double row_0, a, b, column_0, c, d;
};

// Bilinear interpolation.
void resample(const float* image, float* out, Shape shape, const Map& map);

// Cubic interpolation from sixteen neighbours: edges stay nearly as sharp as they were, while
// bilinear interpolation blurs them. Results are clamped to 0 to 1.
void resample_cubic(const float* image, float* out, Shape shape, const Map& map);

}  // namespace lanes::augment
