// Bilinear interpolation.
//
// No fused multiply-add: whether a coordinate is inside of the image must not depend on the
// machine, and must agree with SciPy.
#include "resample.hpp"

#include <algorithm>

#pragma clang fp contract(off)

namespace lanes::augment {

void resample(const float* image, float* out, Shape shape, const Map& map) {
    const double last_row = static_cast<double>(shape.rows) - 1,
                 last_column = static_cast<double>(shape.columns) - 1;
    for (std::size_t y = 0; y < shape.rows; ++y)
        for (std::size_t x = 0; x < shape.columns; ++x, ++out) {
            const double row = map.row_0 + map.a * static_cast<double>(y) +
                               map.b * static_cast<double>(x),
                         column = map.column_0 + map.c * static_cast<double>(y) +
                                  map.d * static_cast<double>(x);
            *out = 0;
            if (row < 0 || row > last_row || column < 0 || column > last_column) continue;
            const auto r0 = static_cast<std::size_t>(row), c0 = static_cast<std::size_t>(column);
            const std::size_t r1 = std::min(r0 + 1, shape.rows - 1),
                              c1 = std::min(c0 + 1, shape.columns - 1);
            const float down = static_cast<float>(row - static_cast<double>(r0)),
                        right = static_cast<float>(column - static_cast<double>(c0));
            const auto along = [&](std::size_t r) {
                return image[r * shape.columns + c0] * (1 - right) +
                       image[r * shape.columns + c1] * right;
            };
            *out = along(r0) * (1 - down) + along(r1) * down;
        }
}

}  // namespace lanes::augment
