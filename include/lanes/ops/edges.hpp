// The steps from the gradient of an image to thin, connected edges, as in Canny's edge detector:
// directions, non-maximum suppression and hysteresis. Introduced in the notebook 07_sobel.
//
//   const lanes::Matrix image = xt::eye<float>(32);
//   const lanes::Matrix edges = lanes::find_edges(image, 0.1f, 0.3f);  // 1 on an edge, 0 elsewhere
#pragma once

#include "lanes/array/types.hpp"

#include <xtensor/xtensor.hpp>

namespace lanes {

// One of four directions per pixel. y points down, and opposite directions count as one:
// 0 along the row, 1 to the right and down, 2 along the column, 3 to the left and down.
using Sectors = xt::xtensor<int, 2>;

// The nearest of the four directions of the vector (gx, gy); 0 if both are 0.
// gx, gy: (rows, columns) -> (rows, columns)
Sectors direction(const Matrix& gx, const Matrix& gy);

// Keeps a magnitude that is larger than that of its neighbour before it and not smaller than that
// of the one after it, in the direction of its sector; all others, and those at the border of the
// image, become 0. magnitude, sectors: (rows, columns) -> (rows, columns)
Matrix thin(const Matrix& magnitude, const Sectors& sectors);

// 1 for pixels above `high`, and for pixels above `low` that are connected with such a pixel by
// pixels above `low`, each one of the eight neighbours of the next; 0 elsewhere. low <= high
Matrix hysteresis(const Matrix& thinned, float low, float high);

// All steps, with the filter sobel_3x3. Thresholds are fractions of a step from 0 to 1.
// image: (rows, columns) -> (rows, columns), 0 or 1
Matrix find_edges(const Matrix& image, float low, float high);

}  // namespace lanes
