// Pictures below a cell: a matrix as a grey image, several of them as a grid, a colour image. Each
// is a PNG with text beside it (title, shape, range) for terminals and for nbval. Introduced in the
// notebook 00_start.
//
//   lanes::show_image(xt::view(data.test.images, 7), "a seven");
//   lanes::show_images(wrong, {"4, not 9", "2, not 7"});
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/image_file.hpp"

#include <string>
#include <vector>

namespace lanes {

// The smallest value is black, the largest white. Small images are enlarged by whole pixels, large
// ones are shown smaller.
void show_image(const Matrix& image, const std::string& title = "");
void show_image(const ColorImage& image, const std::string& title = "");

// A grid, row by row; each image has its own black and white. titles: none, or one for each image.
// columns: 0 picks a number that fits the page.
void show_images(const std::vector<Matrix>& images, const std::vector<std::string>& titles = {},
                 std::size_t columns = 0);

// Whether nobody looks on: CI, NBGRADER_EXECUTION or PYTEST_CURRENT_TEST is set. Notebooks then
// repeat less, and progress is plain text.
bool in_ci();

// What a table of times must name: "2 cores, x86-64, CUDA simulator", or with the name of the GPU.
std::string machine_line();

}  // namespace lanes
