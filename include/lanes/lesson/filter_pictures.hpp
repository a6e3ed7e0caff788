// Pictures of filtered images below a cell, all on one fixed scale, and drawings of what a filter
// does. Introduced in the notebooks 06_correlation and 07_sobel.
//
//   const lanes::Matrix response{{-1, 0, 2}, {0, 3, 0}};
//   lanes::show_scaled({response}, {"black -2 to white 2"}, -2, 2);
//   lanes::show_scaled({lanes::enlarged(response, 0, 1, 2, 30)}, {"a detail"}, -2, 2);
//   lanes::plot_row(0, {"response", "its half"}, {response, response / 2});
#pragma once

#include "lanes/array/types.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes {

// A grid of images, row by row. The value `black` is painted black and `white` white, in all of
// them, those between grey, and those beyond are cut off; a strip at the right of each image shows
// the scale, with `white` on top. black may be larger than white.
// columns: 0 picks a number that fits the page.
void show_scaled(const std::vector<Matrix>& images, const std::vector<std::string>& titles,
                 float black, float white, std::size_t columns = 0);

// A square of side x side pixels, each of them enlarged to times x times.
Matrix enlarged(const Matrix& image, std::size_t top, std::size_t left, std::size_t side,
                std::size_t times);

// The values along one row of several images, as lines.
void plot_row(std::size_t row, const std::vector<std::string>& names,
              const std::vector<Matrix>& images);

// A small image of whole numbers from 0 to 9 with zeros around it, and a filter of 3x3 ones at its
// first pixel. image: at most 4 x 7
void draw_zero_padding(const Matrix& image);

// Which pixels of a row one coefficient of a filter reads, `shift` columns from the result.
void draw_shifted_row(int columns, int shift);

// The pixels that a block of rows x columns threads loads for a filter of 3x3: its tile, and a halo
// of one pixel around it.
void draw_tile(int rows, int columns);

}  // namespace lanes
