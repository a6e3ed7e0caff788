// Reads and writes pictures: PNG and JPEG. Introduced in lesson 07_sobel.
//
//   const std::string path = lanes::data_folder("pictures") + "/coffee.png";
//   const lanes::Matrix grey = lanes::to_grey(lanes::read_image(path));
//   lanes::write_image("grey.png", grey);
#pragma once

#include "lanes/array/types.hpp"

#include <cstddef>
#include <string>

namespace lanes {

using ColorImage = xt::xtensor<unsigned char, 3>;  // (rows, columns, 3): red, green, blue

// The first bytes of the file decide which format it has, not its name. A grey picture gets three
// equal channels; transparent pixels are drawn on white. Throws Error with the path and the reason
// if the file is missing, cut off, damaged, or neither PNG nor JPEG.
ColorImage read_image(const std::string& path);

// 0.299 red + 0.587 green + 0.114 blue, from 0 to 1.
Matrix to_grey(const ColorImage& image);

// The extension decides the format: .png, .jpg or .jpeg. Values of a matrix are clamped to 0
// (black) to 1 (white). quality: of a JPEG, 1 to 100.
void write_image(const std::string& path, const Matrix& image, int quality = 95);
void write_image(const std::string& path, const ColorImage& image, int quality = 95);

// The bytes of a PNG file. pixels: row by row from the top, eight bits per channel. channels: 1 for
// grey, 3 for red, green, blue, 4 for red, green, blue, alpha (255: opaque). palette: if given,
// three bytes per colour, at most 256 colours; pixels are then indices of colours, with one
// channel.
std::string encode_png(const unsigned char* pixels, std::size_t width, std::size_t height,
                       std::size_t channels, const std::string& palette = "");

}  // namespace lanes
