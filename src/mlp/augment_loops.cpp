// No fused multiply-add in this file: whether a coordinate is inside the image must not depend
// on the machine, and must agree with SciPy.
#include "augment_loops.hpp"

#include "resample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#pragma clang fp contract(off)

namespace lanes::augment {

namespace {

struct Turn {
    double sine, cosine;
};

// Exact for multiples of 90 degrees, which move pixels onto pixels.
Turn turn_by(double degrees) {
    const double quarters = std::nearbyint(degrees / 90),
                 rest = (degrees - 90 * quarters) * (std::acos(-1.0) / 180);
    const double sine = std::sin(rest), cosine = std::cos(rest);
    if (quarters == 0) return {sine, cosine};
    switch (static_cast<int>(std::fmod(std::fmod(quarters, 4) + 4, 4))) {
        case 0:
            return {sine, cosine};
        case 1:
            return {cosine, -sine};
        case 2:
            return {-sine, -cosine};
        default:
            return {-cosine, sine};
    }
}

Map rotation(Shape shape, double degrees) {
    const Turn turn = turn_by(degrees);
    const double middle_row = (static_cast<double>(shape.rows) - 1) / 2,
                 middle_column = (static_cast<double>(shape.columns) - 1) / 2;
    return {middle_row - (turn.cosine * middle_row + turn.sine * middle_column),
            turn.cosine,
            turn.sine,
            middle_column - (-turn.sine * middle_row + turn.cosine * middle_column),
            -turn.sine,
            turn.cosine};
}

}  // namespace

void rotate(const float* image, float* out, Shape shape, double degrees) {
    resample(image, out, shape, rotation(shape, degrees));
}

void shift_subpixel(const float* image, float* out, Shape shape, double dx, double dy) {
    resample(image, out, shape, {dy, 1, 0, dx, 0, 1});
}

namespace {

// line[x] = from[x + left], black outside.
void shift_line(const float* from, float* line, std::ptrdiff_t columns, std::ptrdiff_t left) {
    const std::ptrdiff_t first = std::clamp<std::ptrdiff_t>(-left, 0, columns),
                         last = std::clamp<std::ptrdiff_t>(columns - left, 0, columns);
    std::fill_n(line, std::min(first, columns), 0.0f);
    if (first < last) std::copy_n(from + first + left, last - first, line + first);
    std::fill(line + std::max(first, last), line + columns, 0.0f);
}

}  // namespace

void shift(const float* image, float* out, Shape shape, int dx, int dy) {
    const auto rows = static_cast<std::ptrdiff_t>(shape.rows),
               columns = static_cast<std::ptrdiff_t>(shape.columns);
    for (std::ptrdiff_t y = 0; y < rows; ++y) {
        if (y + dy < 0 || y + dy >= rows)
            std::fill_n(out + y * columns, columns, 0.0f);
        else
            shift_line(image + (y + dy) * columns, out + y * columns, columns, dx);
    }
}

void skew(const float* image, float* out, Shape shape, double tilt) {
    const auto columns = static_cast<std::ptrdiff_t>(shape.columns);
    for (std::size_t y = 0; y < shape.rows; ++y) {
        const double lean = static_cast<double>(y) * tilt, last = static_cast<double>(columns - 1);
        const float* const from = image + y * shape.columns;
        float* const line = out + y * shape.columns;
        const double left = std::floor(lean);
        if (std::abs(left) >= static_cast<double>(columns)) {
            std::fill_n(line, columns, 0.0f);
        } else if (std::floor(last + lean) - last ==
                   left) {  // nearly always: x + lean was rounded up to a whole number for no x
            shift_line(from, line, columns, static_cast<std::ptrdiff_t>(left));
        } else {
            for (std::ptrdiff_t x = 0; x < columns; ++x) {
                const double column = std::floor(static_cast<double>(x) + lean);
                line[x] = column >= 0 && column <= last ? from[static_cast<std::ptrdiff_t>(column)]
                                                        : 0.0f;
            }
        }
    }
}

void rotate_shift_and_skew_subpixel(const float* image, float* out, Shape shape, double degrees,
                                    double dx, double dy, double tilt) {
    const Map turn = rotation(shape, degrees);  // of pixel (y + dy, x + dx + y * tilt)
    resample_cubic(image, out, shape,
                   {turn.row_0 + turn.a * dy + turn.b * dx, turn.a + turn.b * tilt, turn.b,
                    turn.column_0 + turn.c * dy + turn.d * dx, turn.c + turn.d * tilt, turn.d});
}

void add_noise(float* pixels, Shape shape, double noise, Rng& rng) {
    // One word for two pixels: 65,536 steps from -noise to noise are finer than an image can show.
    std::array<std::uint32_t, 512> words;
    const float low = static_cast<float>(-noise), step = static_cast<float>(noise * 0x1p-15);
    const auto noisy = [&](float pixel, std::uint32_t bits) {
        // the float 2^23 + bits, without a conversion
        const std::uint32_t above_2_to_23 = bits | 0x4b000000;
        float number;
        std::memcpy(&number, &above_2_to_23, sizeof number);
        const float value = pixel + (low + step * (number - (0x1p23f - 0.5f)));
        return std::clamp(value, 0.0f, 1.0f);
    };
    const std::size_t half = shape.size() / 2, both = 2 * half;
    for (std::size_t done = 0; done < half;) {
        const std::size_t count = std::min(words.size(), half - done);
        rng.fill_bits(words.data(), count);
        float *const first = pixels + done, *const second = pixels + half + done;
        for (std::size_t i = 0; i < count; ++i) {
            first[i] = noisy(first[i], words[i] & 0xffff);
            second[i] = noisy(second[i], words[i] >> 16);
        }
        done += count;
    }
    if (both < shape.size())
        pixels[both] = noisy(pixels[both], static_cast<std::uint32_t>(rng.bits() & 0xffff));
}

}  // namespace lanes::augment
