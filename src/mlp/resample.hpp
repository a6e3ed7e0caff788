// Reads an image at positions between its pixels; outside of the image it is black. Rotations and
// shifts by fractions of a pixel are both computed in this way.
#pragma once

#include "augment_loops.hpp"

namespace lanes::augment {

// Pixel (y, x) of the result is read at row = row_0 + a * y + b * x and column = column_0 + c * y +
// d * x.
struct Map {
    double row_0, a, b, column_0, c, d;
};

// Bilinear interpolation, pixel by pixel, for any shape: the readable version. resample computes
// the same faster, and calls this one for images of less than two rows or 16 columns.
void resample_plain(const float* image, float* out, Shape shape, const Map& map);

void resample(const float* image, float* out, Shape shape, const Map& map);

// Resampled, then shifted by whole pixels, then skewed, in one pass over the image. A shift and a
// skew move whole lines, so each pixel can be read at once where it came from. Returns false, and
// writes nothing, if the image is too small or if x + y * tilt is rounded up to a whole number for
// some x of a line and not for others, which hardly ever happens.
bool resample_and_move(const float* image, float* out, Shape shape, const Map& map, int dx, int dy,
                       double tilt);

// Cubic interpolation from sixteen neighbours: edges stay nearly as sharp as they were, while
// bilinear interpolation blurs them. Results are clamped to 0 to 1.
void resample_cubic(const float* image, float* out, Shape shape, const Map& map);

}  // namespace lanes::augment
