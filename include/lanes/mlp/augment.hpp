// The augmentation operators of assignment 2. Each returns a new image and leaves its argument
// alone. An image is (rows, columns) with values from 0 (black) to 1 (white). A batch is (images,
// rows, columns) and takes one argument per image, or one for all. Introduced in lesson
// 04a_augmentation.
//
//   const lanes::Matrix image = xt::eye<float>(28);
//   lanes::Rng rng(1);
//   const lanes::Matrix moved = lanes::shift(lanes::rotate(image, 10), 2, 0);
//   const lanes::Matrix noisy = lanes::add_noise(moved, 0.1, rng);
//   const lanes::Matrix any = lanes::process_image(image, lanes::AugmentationBounds{}, rng);
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/base/rng.hpp"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace lanes {

// Functions that take an Rng are templates. A cell may define its own add_noise(image, noise, rng);
// C++ then also finds this one, because Rng is in the same namespace, and prefers the function that
// is not a template.
template <class Random>
using EnableForRng = std::enable_if_t<std::is_same_v<Random, Rng>, int>;

// Counter-clockwise around the centre, with bilinear interpolation; black outside the image. The
// same as scipy.ndimage.rotate(image, degrees, reshape=False, order=1).
Matrix rotate(const Matrix& image, double degrees);
Tensor3 rotate(const Tensor3& images, const std::vector<double>& degrees);

// dx pixels to the left and dy pixels upwards; black outside the image.
Matrix shift(const Matrix& image, int dx, int dy);
Tensor3 shift(const Tensor3& images, const std::vector<int>& dx, const std::vector<int>& dy);

// The same by fractions of a pixel, with bilinear interpolation.
Matrix shift_subpixel(const Matrix& image, double dx, double dy);

// Adds a number drawn uniformly from -noise to noise to each pixel; the sum is clamped to 0 to 1.
template <class Random, EnableForRng<Random> = 0>
Matrix add_noise(const Matrix& image, double noise, Random& rng);
Tensor3 add_noise(const Tensor3& images, const std::vector<double>& noise, Rng& rng);

// out[y][x] = image[y][floor(x + y * tilt)], or black if that is outside the image.
Matrix skew(const Matrix& image, double tilt);
Tensor3 skew(const Tensor3& images, const std::vector<double>& tilt);

// The largest arguments of process_image, in both directions. The defaults were found by trial for
// 500 images. The assignment begins with 15 degrees, 3 cells, noise 0.1 and tilt 0.2: these change
// the digits so much that the network learns less from them.
struct AugmentationBounds {
    double degrees = 15;
    double cells = 1;  // of the shift, in pixels
    double noise = 0.02;
    double tilt = 0.1;
    // Rotate, shift and skew by fractions of a pixel, all in one cubic interpolation. This blurs
    // less than one operator after another.
    bool subpixel = false;
};

// All four operators, with random arguments within the bounds, one after another (unless subpixel
// is set).
template <class Random, EnableForRng<Random> = 0>
Matrix process_image(const Matrix& image, const AugmentationBounds& bounds, Random& rng);

// The same without an allocation: image and out hold rows * columns numbers each and must not
// overlap.
void process_image(const float* image, float* out, std::size_t rows, std::size_t columns,
                   const AugmentationBounds& bounds, Rng& rng);

extern template Matrix add_noise(const Matrix&, double, Rng&);
extern template Matrix process_image(const Matrix&, const AugmentationBounds&, Rng&);

}  // namespace lanes
