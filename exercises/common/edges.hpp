// Shared by the checks of direction, thin, hysteresis and find_edges: images with edges in known
// directions, and their gradients.
#pragma once

#include "notebook/exercise/values.hpp"

#include "lanes/array/types.hpp"
#include "lanes/base/rng.hpp"

#include <cstddef>

namespace lanes::exercises::edge_check {

// 0 before the edge and 1 after it: the pixel at row y and column x is after it if
// right * x + down * y > 0, counted from the middle of the image. width: of a ramp instead of a
// sharp step, in pixels.
Matrix step(std::size_t rows, std::size_t columns, int right, int down, int width = 0);

// Multiples of 1/8 from 0 to 1, so that all sums of a Sobel filter are exact.
Matrix eighths(std::size_t rows, std::size_t columns, Rng rng);

// Areas of 5 x 7 pixels, each of one brightness, a multiple of 1/8.
Matrix patches(std::size_t rows, std::size_t columns, Rng rng);

struct Gradient {
    Matrix gx, gy, magnitude;  // of sobel_3x3; a step from 0 to 1 has the magnitude 1
};

Gradient gradient(const Matrix& image);

}  // namespace lanes::exercises::edge_check
