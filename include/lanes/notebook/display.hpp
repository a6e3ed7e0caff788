// Images below a cell: a matrix as a grey image, several of them as a grid, a colour image. Beside
// each stands a text (title, shape, range) for terminals and for nbval. Introduced in the notebook
// 00_start.
//
//   const lanes::Matrix black(lanes::Matrix::shape_type{28, 28}, 0.0f);
//   const lanes::Matrix white(lanes::Matrix::shape_type{28, 28}, 1.0f);
//   lanes::show_image(black, "a black square");
//   lanes::show_images({black, white}, {"black", "white"});
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/image_file.hpp"

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace lanes {

// The smallest value is black, the largest white. Small images are enlarged by whole pixels, large
// ones are shown smaller.
void show_image(const Matrix& image, const std::string& title = "");
void show_image(const ColorImage& image, const std::string& title = "");

// A grid, row by row; each image has its own black and white. titles: none, or one per image.
// columns: 0 picks a number that fits the page.
void show_images(const std::vector<Matrix>& images, const std::vector<std::string>& titles = {},
                 std::size_t columns = 0);

namespace notebook {
void show_color_images(const std::vector<ColorImage>& images,
                       const std::vector<std::string>& titles, std::size_t columns);
}

// The same for colour images. It is a template so that {a, b} with two matrices means the function
// above: a list in braces gives no type to a template.
template <class Image, class = std::enable_if_t<std::is_same_v<Image, ColorImage>>>
void show_images(const std::vector<Image>& images, const std::vector<std::string>& titles = {},
                 std::size_t columns = 0) {
    notebook::show_color_images(images, titles, columns);
}

}  // namespace lanes
