// Edges of an image, and the filters of the course. gx = correlation(filter, image) responds to
// vertical edges, gy with the transposed filter to horizontal ones, and sqrt(gx^2 + gy^2) to both.
//
//   const lanes::Matrix image = xt::eye<float>(32);
//   const lanes::Matrix edges = lanes::sobel_operator(lanes::sobel_3x3(), image);
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/base/workers.hpp"

namespace lanes {

// filter: (filter_rows, filter_columns), image: (rows, columns) -> (rows, columns)
Matrix sobel_operator(const Matrix& filter, const Matrix& image, int threads = num_workers());

const Matrix& sobel_3x3();    // 1 0 -1 / 2 0 -2 / 1 0 -1
const Matrix& scharr_3x3();   // 3 0 -3 / 10 0 -10 / 3 0 -3
const Matrix& sobel_5x3();    // 1 0 -1 / 2 0 -2 / 1 0 -1 / 2 0 -2 / 1 0 -1
const Matrix& sobel_5x5();    // the same, with three columns of zeros in the middle
const Matrix& ring_3x3();     // 1 1 1 / 1 0 1 / 1 1 1: a blur, for a plain correlation
const Matrix& sharpen_3x3();  // 0 -1 0 / -1 5 -1 / 0 -1 0
const Matrix& blur_5x5();     // 1/25 everywhere
// x / (x^2 + y^2) for x, y in -3..3, x along a row; 0 in the middle column
const Matrix& edge_7x7();

}  // namespace lanes
