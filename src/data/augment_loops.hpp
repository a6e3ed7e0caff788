// The loops of the augmentation operators, on plain memory: image and out hold rows * columns
// numbers, and do not overlap.
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

// The three one after another, in one pass over the image. False: these arguments need the three,
// and nothing was done.
bool rotate_shift_and_skew(const float* image, float* out, Shape shape, double degrees, int dx,
                           int dy, double tilt);

// The three by parts of a cell, the skew too: each pixel is mixed once, by cubic interpolation,
// from where all three together take it.
void rotate_shift_and_skew_by_parts(const float* image, float* out, Shape shape, double degrees,
                                    double dx, double dy, double tilt);

}  // namespace lanes::augment
