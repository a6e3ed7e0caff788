// An image read at other places than its pixels, black where nothing was: what rotations, shifts by
// parts of a cell and both together have in common.
#pragma once

#include "augment_loops.hpp"

namespace lanes::augment {

// Where a pixel of the result comes from: row = row_0 + a * y + b * x, column = column_0 + c * y +
// d * x.
struct Map {
    double row_0, a, b, column_0, c, d;
};

// Bilinear, pixel by pixel, for any shape: what resample does, and does itself for images of less
// than two rows or 16 columns.
void resample_plain(const float* image, float* out, Shape shape, const Map& map);

void resample(const float* image, float* out, Shape shape, const Map& map);

// Resampled, then shifted by whole cells, then skewed, in one pass over the image: a shift and a
// skew move whole lines, and what they read can as well be read at once where it came from. False:
// nothing was done, because the image is too small or because a line would be torn, which happens
// where x + y * tilt is rounded up to a whole number for some x and not for others, hardly ever.
bool resample_and_move(const float* image, float* out, Shape shape, const Map& map, int dx, int dy,
                       double tilt);

// Cubic, from sixteen neighbours: edges stay nearly as sharp as they were, where a bilinear mixture
// blurs them. Black and white are not exceeded.
void resample_cubic(const float* image, float* out, Shape shape, const Map& map);

}  // namespace lanes::augment
