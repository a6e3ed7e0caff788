// The loops of the augmentation operators, on plain memory: image and out hold rows * columns
// numbers and must not overlap.
#pragma once

#include "lanes/base/rng.hpp"

#include <cstddef>

namespace lanes::augment {

struct Shape {
    std::size_t rows, columns;
    std::size_t size() const { return rows * columns; }
};

void rotate(const float* image, float* out, Shape shape, double degrees);
void shift(const float* image, float* out, Shape shape, int dx, int dy);
void shift_subpixel(const float* image, float* out, Shape shape, double dx, double dy);
void skew(const float* image, float* out, Shape shape, double tilt);
void add_noise(float* pixels, Shape shape, double noise, Rng& rng);  // in place

// Rotation, shift and skew, all by fractions of a pixel: each pixel is interpolated once, at the
// place where all three together take it, by cubic interpolation.
void rotate_shift_and_skew_subpixel(const float* image, float* out, Shape shape, double degrees,
                                    double dx, double dy, double tilt);

}  // namespace lanes::augment
