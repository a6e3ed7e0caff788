// Edges of an image, and the filters that the course looks at. For each of them gx =
// correlation(filter, image) sees edges that run down, gy with the filter transposed those that run
// across, and sqrt(gx^2 + gy^2) sees both.
#pragma once

#include "lanes/array/types.hpp"

namespace lanes {

// filter: (filter_rows, filter_columns), image: (rows, columns) -> (rows, columns). threads: as
// num_workers() takes them.
Matrix sobel_operator(const Matrix& filter, const Matrix& image, int threads = 0);

const Matrix& sobel_3x3();   // 1 0 -1 / 2 0 -2 / 1 0 -1
const Matrix& scharr_3x3();  // 3 0 -3 / 10 0 -10 / 3 0 -3
const Matrix& sobel_5x3();   // 1 0 -1 / 2 0 -2 / 1 0 -1 / 2 0 -2 / 1 0 -1
const Matrix& sobel_5x5();   // the same, with three columns of zeros in the middle
const Matrix&
ring_3x3();  // 1 1 1 / 1 0 1 / 1 1 1: no edges but a blur, to be used as a plain correlation
const Matrix& sharpen_3x3();  // 0 -1 0 / -1 5 -1 / 0 -1 0
const Matrix& blur_5x5();     // 1/25 everywhere
const Matrix&
edge_7x7();  // x / (x^2 + y^2) for x, y in -3..3, x along a row; 0 in the middle column

}  // namespace lanes
