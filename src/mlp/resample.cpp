// Bilinear and cubic interpolation.
//
// No fused multiply-add, and sums in a fixed order: whether a coordinate is inside the image
// must not depend on the machine, and must agree with SciPy.
#include "resample.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

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

namespace {

using Four __attribute__((vector_size(4 * sizeof(float)))) = float;

// Weights of four neighbours in a line for a position that is t (0 to 1) past the second of them:
// Keys' cubic convolution, four polynomials at once, with the slope -0.75 of OpenCV and PyTorch. At
// t = 0 only the second neighbour counts.
Four weights_at(float t) {
    constexpr float a = -0.75f;
    constexpr Four cubes{a, a + 2, -a - 2, -a}, squares{-2 * a, -a - 3, 2 * a + 3, a},
        lines{a, 0, -a, 0}, constants{0, 1, 0, 0};
    return ((cubes * t + squares) * t + lines) * t + constants;
}

// The weighted sum of four neighbours in each of four lines. Next to a sharp edge the sum can leave
// the range 0 to 1, so it is clamped.
float interpolate(const float* first, std::size_t line, Four down, Four right) {
    Four sum{};
    for (std::size_t i = 0; i < 4; ++i) {
        Four pixels;
        std::memcpy(&pixels, first + i * line, sizeof pixels);
        sum += down[i] * pixels;
    }
    sum *= right;
    return std::clamp((sum[0] + sum[1]) + (sum[2] + sum[3]), 0.0f, 1.0f);
}

// Rows or columns, first and last included; if there are none, first is larger than last.
struct Range {
    double first = std::numeric_limits<double>::infinity(),
           last = -std::numeric_limits<double>::infinity();

    void add(std::size_t i) {
        first = std::min(first, static_cast<double>(i));
        last = std::max(last, static_cast<double>(i));
    }
};

// The image within a black frame, so that positions next to the border have all their neighbours;
// and the rows and columns in which it is not black.
class Framed {
public:
    static constexpr std::size_t width = 4;

    Framed(const float* image, Shape shape) : line(shape.columns + 2 * width) {
        thread_local std::vector<float> kept;  // memory that the next call uses again
        thread_local std::vector<std::uint32_t> lit_columns;
        kept.assign((shape.rows + 2 * width) * line, 0.0f);
        lit_columns.assign(shape.columns, 0);
        for (std::size_t y = 0; y < shape.rows; ++y, image += shape.columns) {
            float* const to = kept.data() + (y + width) * line + width;
            std::uint32_t lit_row = 0;
            for (std::size_t x = 0; x < shape.columns; ++x) {
                const std::uint32_t lit = image[x] != 0 ? 1 : 0;
                to[x] = image[x];
                lit_columns[x] |= lit;
                lit_row |= lit;
            }
            if (lit_row) rows.add(y);
        }
        for (std::size_t x = 0; x < shape.columns; ++x)
            if (lit_columns[x]) columns.add(x);
        pixels = kept.data();
    }

    // The first of the four by four neighbours of a position.
    const float* first_neighbour(double above, double left) const {
        return pixels + static_cast<std::size_t>(above + (width - 1)) * line +
               static_cast<std::size_t>(left + (width - 1));
    }

    const float* pixels;
    std::size_t line;
    Range rows, columns;
};

// For which x is begin + step * x less than two pixels away from the range, so that a neighbour is
// in it? If there is no such x, first is larger than last.
Range reached(const Range& range, double begin, double step) {
    if (range.first > range.last) return {};
    const double low = range.first - 2 - begin, high = range.last + 2 - begin;
    if (std::abs(step) < 1e-9)
        return low < 0 && high > 0 ? Range{-std::numeric_limits<double>::infinity(),
                                           std::numeric_limits<double>::infinity()}
                                   : Range{};
    return {std::ceil(std::min(low / step, high / step)),
            std::floor(std::max(low / step, high / step))};
}

}  // namespace

void resample_cubic(const float* image, float* out, Shape shape, const Map& map) {
    const Framed framed(image, shape);
    for (std::size_t y = 0; y < shape.rows; ++y, out += shape.columns) {
        const double row_0 = map.row_0 + map.a * static_cast<double>(y),
                     column_0 = map.column_0 + map.c * static_cast<double>(y);
        const Range by_rows = reached(framed.rows, row_0, map.b),
                    by_columns = reached(framed.columns, column_0, map.d);
        const double first = std::max({0.0, by_rows.first, by_columns.first}),
                     last = std::min(
                         {static_cast<double>(shape.columns) - 1, by_rows.last, by_columns.last});
        std::fill_n(out, shape.columns, 0.0f);
        for (double x = first; x <= last; ++x) {
            const double row = row_0 + map.b * x, column = column_0 + map.d * x,
                         above = std::floor(row), left = std::floor(column);
            out[static_cast<std::size_t>(x)] =
                interpolate(framed.first_neighbour(above, left), framed.line,
                            weights_at(static_cast<float>(row - above)),
                            weights_at(static_cast<float>(column - left)));
        }
    }
}

}  // namespace lanes::augment
